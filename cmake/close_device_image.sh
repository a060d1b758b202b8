#!/bin/sh
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Makes one object of the device images of a target, see HaloclineDevices.cmake.
#   close_device_image.sh "ANCHOR..." OUTPUT IMAGE...      tools: $NM, $OBJCOPY, $LD, $CXX
#
# An image holds everything that its source file defines, with loops that list their forms in place of
# running. So none of its names may be found by others, and none of its static objects may be made: what
# they register elsewhere would be functions that do nothing. One constructor takes their place, which
# registers CUDA's kernels and adds the forms. The names that stay are the ANCHORs, by which the program's
# objects ask for the image.
set -eu

anchors=$1
output=$2
shift 2
folder=$output.parts
rm -rf "$folder"
mkdir -p "$folder"

number=0
for image; do
    number=$((number + 1))
    # What the constructor calls: local names, and the same ones in several images, become names of their own.
    "$NM" --defined-only "$image" | awk -v to="${anchors%% *}_call_${number}_" '
        $NF ~ /^_ZL24__sti____cudaRegisterAllv$/ { first = first $NF " " to (++n) "\n" }
        $NF ~ /^_ZN9halocline6device10ListedForm.*3addEv$/ { rest = rest $NF " " to (++n) "\n" }
        END { printf "%s%s", first, rest }' >"$folder/$number.names"
    cut -d' ' -f2 "$folder/$number.names" >"$folder/$number.calls"
    # A file without loops has none; objcopy takes no empty list, and fails without a word.
    { cat "$folder/$number.calls"; echo "${anchors%% *}"; } >"$folder/$number.global"
    "$OBJCOPY" --remove-section=.init_array --remove-section=.rela.init_array \
        "--redefine-syms=$folder/$number.names" "--globalize-symbols=$folder/$number.global" \
        "$image" "$folder/$number.o"
done

cat "$folder"/*.calls | awk -v anchors="$anchors" '
    { print "void " $1 "(void);"; body = body "    " $1 "();\n" }
    END {
        printf "__attribute__((constructor)) static void register_forms(void) {\n%s}\n", body
        count = split(anchors, anchor, " ")
        for (i = 1; i <= count; i++) print "const char " anchor[i] " = 1;"
    }' >"$folder/register.c"
"$CXX" -x c -O1 -fPIC -c "$folder/register.c" -o "$folder/register.o"
"$LD" -r --force-group-allocation -o "$folder/joined.o" "$folder"/[0-9]*.o "$folder/register.o"
printf '%s\n' $anchors >"$folder/anchors"
"$OBJCOPY" "--keep-global-symbols=$folder/anchors" "$folder/joined.o" "$output"
