// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checks the mesh beside the case. `halocline run` makes meshes; this program runs on those there are.
#include "mesh_section.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "halocline/core/error.hpp"
#include "halocline/io/input_file.hpp"

namespace halocline::solve {

namespace {

using Json = nlohmann::json;

/// [mesh.make] with its defaults, in the form that `halocline run` leaves beside a mesh it made.
Json read_recipe(CaseSection& make) {
    make.require_given();
    Json recipe;
    recipe["shape"] = make.choice("shape");
    recipe["nodes"] = make.integer("nodes");
    recipe["levels"] = make.integer("levels");
    recipe["shuffle"] = make.flag("shuffle");
    recipe["seed"] = make.integer("seed");
    recipe["scaling"] = make.choice("scaling");
    recipe["stretch"] = make.number("stretch");
    recipe["elements"] = make.choice("elements");
    recipe["perturb"] = make.number("perturb");
    recipe["aspect"] = make.text("aspect");
    recipe["cells"] = make.text("cells");
    recipe["dimension"] = make.integer("dimension");
    recipe["periodic"] = make.text("periodic");
    recipe["laplacian"] = make.flag("laplacian");
    make.expect_no_more();
    return recipe;
}

/// Keys in which the mesh's own recipe differs; a mesh without recipe is used as it is, and a recipe from
/// before a key was there means its default.
std::string find_difference(const std::string& path, const Json& recipe) {
    const SectionSchema schema = SectionSchema::root().section("mesh").section("make");
    std::ifstream file(path);
    const Json made = Json::parse(file, nullptr, false);
    std::string changed;
    if (made.is_object()) {
        for (const auto& [key, value] : recipe.items()) {
            if (made.value(key, schema.about(key).value("default", Json())) != value) {
                changed += (changed.empty() ? "" : ", ") + key;
            }
        }
    }
    return changed;
}

}  // namespace

MeshPlace read_mesh_section(const Communicator& comm, CaseSection& root,
                            const std::string& folder) {
    CaseSection mesh = root.section("mesh");
    MeshPlace place{in_directory(folder, mesh.text("directory")), mesh.text("input")};
    const bool has_recipe = mesh.has("make");
    CaseSection make = mesh.section("make");
    const Json recipe = has_recipe ? read_recipe(make) : Json();
    mesh.expect_no_more();
    run_agreed(comm, [&] {
        const std::string input = in_directory(place.directory, place.input);
        if (comm.is_root() && !std::filesystem::is_regular_file(input)) {
            throw InputError(
                mesh.file() + ": keys 'mesh.directory' and 'mesh.input' lead to " + input +
                ", which is missing. " +
                (has_recipe ? "Make it as [mesh.make] says: halocline run " + mesh.file() + "."
                            : "Correct them, or make a mesh there: halocline mesh make --help."));
        }
        const std::string changed =
            comm.is_root() && has_recipe
                ? find_difference(in_directory(place.directory, "recipe.json"), recipe)
                : "";
        validate<InputError>(changed.empty(),
                             mesh.file() + ": the mesh in " + place.directory +
                                 " was made with another recipe (mesh.make differs in " + changed +
                                 "). Remove that folder or choose another mesh.directory.");
    });
    return place;
}

}  // namespace halocline::solve
