# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Spack recipe of halocline: docs/start/install.md says how to use it."""

from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.python import PythonExtension

from spack.package import *

# The sources that this recipe lies in.
CHECKOUT = Path(__file__).resolve().parents[6]


class Halocline(CMakePackage, PythonExtension, CudaPackage):
    """Unstructured-mesh CFD on CPU cores, clusters and GPUs from one kernel source: a library of
    sets, maps, dats and parallel loops, solvers, and tools for any MPI program."""

    git = CHECKOUT.as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("python", default=True, description="The halocline command: cases, meshes, studies")
    variant("plot", default=False, when="+python", description="Pictures of meshes and results")
    variant("tune", default=True, when="+python", description="Searches of halocline tune")
    variant("ptscotch", default=True, description="The partitioner PT-Scotch")
    variant("parmetis", default=False, description="The partitioner ParMETIS")
    variant("metis", default=True, description="The partitioner METIS")
    variant("zstd", default=True, description="Results packed by zstd")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.11:", type="build")

    depends_on("mpi@3.1:")
    depends_on("hdf5@1.10: +mpi")
    depends_on("hwloc@2:")
    depends_on("fmt@9:")
    depends_on("tomlplusplus@3:")
    depends_on("nlohmann-json@3.10:")
    depends_on("cli11@2:", type="build")
    depends_on("muparser@2.3:")
    depends_on("zlib-api")
    depends_on("zstd", when="+zstd")
    depends_on("scotch@6: +mpi", when="+ptscotch")
    depends_on("parmetis@4:", when="+parmetis")
    depends_on("metis@5:", when="+metis")
    depends_on("metis@5:", when="+parmetis")
    depends_on("cuda@12:", when="+cuda")

    # As pyproject.toml has them.
    with when("+python"):
        extends("python")
        depends_on("python@3.11:", type=("build", "run"))
        depends_on("py-pip", type="build")
        depends_on("py-scikit-build-core@0.10:", type="build")
        for package in (
            "py-h5py@3.10:", "py-jinja2@3.1:", "py-matplotlib@3.8:", "py-numpy@1.26:",
            "py-plotly@5.18:", "py-pydantic@2.5:", "py-rich@13:", "py-scipy@1.11:",
            "py-meshio@5:", "py-click@:8.4", "py-typer@0.12:0.25",
        ):  # fmt: skip
            depends_on(package, type="run")
        depends_on("py-pyvista@0.45:", type="run", when="+plot")
        depends_on("vtk@9.4: +python", type="run", when="+plot")
        depends_on("py-optuna@4:", type="run", when="+tune")

    conflicts("cuda_arch=none", when="+cuda", msg="Say for which GPUs: cuda_arch=90, for example.")
    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define("BUILD_TESTING", self.run_tests),
            # Spack's compilers say -march already: the same once more, for the packs of kernels.
            self.define("HALOCLINE_ARCH", self.instruction_set()),
            self.define("HALOCLINE_MPI", "default"),
            self.define("HALOCLINE_CCACHE", False),
            self.define_from_variant("HALOCLINE_CUDA", "cuda"),
            self.define_from_variant("HALOCLINE_WITH_PTSCOTCH", "ptscotch"),
            self.define_from_variant("HALOCLINE_WITH_PARMETIS", "parmetis"),
            self.define_from_variant("HALOCLINE_WITH_METIS", "metis"),
        ]
        if self.spec.satisfies("+cuda"):
            architectures = self.spec.variants["cuda_arch"].value
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return arguments

    def instruction_set(self):
        """The name that `-march` has for the target of this build."""
        compiler = self.spec["cxx"]
        flags = self.spec.target.optimization_flags(compiler.name, str(compiler.version))
        return next(word[len("-march=") :] for word in flags.split() if word.startswith("-march="))

    @run_after("install", when="+python")
    def install_command(self):
        python = self.spec["python"].command
        pip_install = ("-m", "pip", "install", "--no-deps", "--no-build-isolation")
        with working_dir(self.stage.source_path):
            python(*pip_install, "--config-settings=wheel.cmake=false", f"--prefix={self.prefix}", ".")
