# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What variables of a study mean: transports, parameters and bindings of MPI libraries, or a name.

Transports and parameters go through the environment: every launcher, ours or another, hands it to
the ranks, and no launch line has to be edited.
"""

from __future__ import annotations

from collections.abc import Callable

from halocline.errors import InvalidInputError, suggestion
from halocline.launch.mpi import MpiLauncher

#: Variables with a meaning of their own; all others are names for {NAME}, `case.…` or `env.…`.
KNOWN = {
    "ranks": "MPI ranks",
    "threads": "threads of each rank (OMP_NUM_THREADS)",
    "hosts": "hosts, with [submit] only",
    "mpi": "openmpi or mpich: whose mpirun, and which of [program.programs]",
    "transport": "sm, tcp, ucx or a btl list of Open MPI; empty: the library's choice",
    "parameters": "NAME=VALUE … of the MPI library: MCA parameters, CVARs, UCX_…; empty: none",
    "binding": "core, socket, numa, hwthread or none",
    "folder": "where runs start: a folder of theirs is made in it, with `files`",
    "partitioner": "of a case; a name of a command's like any other",
    "mesh_nodes": "size of the mesh that a case makes; a name of a command's like any other",
}
#: Those that a launcher of ours, or the environment, takes care of.
LAUNCH = ("ranks", "hosts", "mpi", "transport", "parameters", "binding", "folder", "threads")
CASE_KEYS = {"partitioner": "parallel.partitioner", "mesh_nodes": "mesh.make.nodes"}
BINDINGS = ("core", "socket", "numa", "hwthread", "none")


def transport_variables(name: str, launcher: MpiLauncher, source: str) -> dict[str, str]:
    """Return the environment that makes an MPI library use a transport."""
    if not name:
        return {}
    known = _open_mpi if launcher.family == "openmpi" else _mpich
    found = known(launcher).get(name)
    if found is not None:
        return found()
    if launcher.family == "openmpi" and "," in name:
        return {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": name}
    raise InvalidInputError(
        f"{source}: 'transport' is '{name}', which is none of {launcher.family}. "
        f"{suggestion(name, known(launcher))}"
    )


def _open_mpi(launcher: MpiLauncher) -> dict[str, Callable[[], dict[str, str]]]:
    shared = "vader" if launcher.version.startswith(("2.", "3.", "4.")) else "sm"
    lists = {"sm": f"self,{shared}", "tcp": "self,tcp", "sm,tcp": f"self,{shared},tcp"}
    ways = {name: _value({"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": of}) for name, of in lists.items()}
    return ways | {"ucx": _value({"OMPI_MCA_pml": "ucx"})}


def _mpich(_: MpiLauncher) -> dict[str, Callable[[], dict[str, str]]]:
    """Names that libfabric and UCX know are both set: MPICH reads those of its own network."""
    off = {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "self,tcp"}
    return {"sm": _value({"MPIR_CVAR_NOLOCAL": "0"}), "tcp": _value(off)}


def _value(variables: dict[str, str]) -> Callable[[], dict[str, str]]:
    return lambda: dict(variables)


def parameter_variables(text: str, family: str, source: str) -> dict[str, str]:
    """Return the environment that sets `NAME=VALUE NAME=VALUE …` of an MPI library.

    Names in capitals (UCX_TLS, MPIR_CVAR_…, FI_PROVIDER) are variables as they are; others are MCA
    parameters of Open MPI, or CVARs of MPICH without their beginning.
    """
    found = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not name.replace("_", "").isalnum():
            raise InvalidInputError(
                f"{source}: 'parameters' holds '{word}', which is not NAME=VALUE. Correct it."
            )
        start = "OMPI_MCA_" if family == "openmpi" else "MPIR_CVAR_"
        found[name if name == name.upper() else _prefixed(name, start)] = value
    return found


def _prefixed(name: str, start: str) -> str:
    return start + (name.upper() if start == "MPIR_CVAR_" else name)


def check_binding(name: str, source: str) -> str:
    """Return a binding that launchers know."""
    if name not in BINDINGS:
        raise InvalidInputError(
            f"{source}: 'binding' is '{name}', not one of {', '.join(BINDINGS)}. "
            f"{suggestion(name, BINDINGS)}"
        )
    return name
