#!/bin/sh
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for ssh: runs a command on a "host" that is a network namespace of this machine. TWO_HOSTS
# lists ADDRESS=PROCESS of each.
#   agent.sh [-option...] HOST COMMAND...
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
for entry in $TWO_HOSTS; do
    [ "${entry%%=*}" = "$host" ] && keeper=${entry#*=}
done
exec nsenter --net --target "${keeper:?no host $host in TWO_HOSTS}" \
    unshare --uts sh -c "hostname $host; $*"
