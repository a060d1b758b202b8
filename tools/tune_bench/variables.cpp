// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lists, reads and writes control variables.
#include "variables.hpp"

#include <map>

namespace halocline::tune_bench {

namespace {

/// What MPI_T_cvar_get_info says, names and texts in full.
struct Entry {
    std::string name, description;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    int bind = 0, scope = 0;
};

bool get_entry(int index, Entry& entry) {
    std::vector<char> name(512), description(16384);
    int name_length = static_cast<int>(name.size());
    int description_length = static_cast<int>(description.size());
    int verbosity = 0;
    if (MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &entry.type, &entry.items,
                            description.data(), &description_length, &entry.bind,
                            &entry.scope) != MPI_SUCCESS) {
        return false;
    }
    entry.name = name.data();
    entry.description = description.data();
    return true;
}

std::vector<EnumItem> items_of(MPI_T_enum items) {
    std::vector<EnumItem> found;
    int count = 0, length = 0;
    if (items == MPI_T_ENUM_NULL ||
        MPI_T_enum_get_info(items, &count, nullptr, &length) != MPI_SUCCESS) {
        return found;
    }
    for (int i = 0; i < count; ++i) {
        std::vector<char> name(512);
        int value = 0, size = static_cast<int>(name.size());
        if (MPI_T_enum_get_item(items, i, &value, name.data(), &size) == MPI_SUCCESS) {
            found.push_back({value, name.data()});
        }
    }
    return found;
}

std::string read_value(int index, MPI_Datatype type) {
    MPI_T_cvar_handle handle;
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) {
        return "";
    }
    std::vector<long long> room(static_cast<std::size_t>(count < 1 ? 1 : count) + 1, 0);
    std::string text;
    if (MPI_T_cvar_read(handle, room.data()) == MPI_SUCCESS) {
        const void* data = room.data();
        if (type == MPI_CHAR) {
            text = static_cast<const char*>(data);
        } else if (type == MPI_INT) {
            text = std::to_string(*static_cast<const int*>(data));
        } else if (type == MPI_C_BOOL) {
            text = *static_cast<const bool*>(data) ? "1" : "0";
        } else if (type == MPI_UNSIGNED) {
            text = std::to_string(*static_cast<const unsigned*>(data));
        } else if (type == MPI_UNSIGNED_LONG) {
            text = std::to_string(*static_cast<const unsigned long*>(data));
        } else if (type == MPI_UNSIGNED_LONG_LONG) {
            text = std::to_string(*static_cast<const unsigned long long*>(data));
        }
    }
    MPI_T_cvar_handle_free(&handle);
    return text;
}

int find_index(const std::string& name) {
    static std::map<std::string, int> known;
    if (known.empty()) {
        int count = 0;
        MPI_T_cvar_get_num(&count);
        Entry entry;
        for (int i = 0; i < count; ++i) {
            if (get_entry(i, entry) && entry.type == MPI_INT) {
                known.emplace(entry.name, i);
            }
        }
    }
    const auto place = known.find(name);
    return place == known.end() ? -1 : place->second;
}

}  // namespace

std::vector<VariableInfo> all_variables() {
    std::vector<VariableInfo> found;
    int count = 0;
    MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count; ++i) {
        Entry entry;
        if (!get_entry(i, entry) || entry.bind != MPI_T_BIND_NO_OBJECT) {
            continue;
        }
        const char* type = entry.type == MPI_INT    ? "int"
                           : entry.type == MPI_CHAR ? "text"
                                                    : "other";
        found.push_back({entry.name, entry.description, type, read_value(i, entry.type),
                         entry.scope != MPI_T_SCOPE_CONSTANT && entry.scope != MPI_T_SCOPE_READONLY,
                         items_of(entry.items)});
    }
    return found;
}

TemporaryValues::TemporaryValues(const std::vector<Assignment>& assignments) {
    for (const Assignment& each : assignments) {
        const int index = find_index(each.variable);
        Former former{};
        int count = 0;
        if (index < 0 ||
            MPI_T_cvar_handle_alloc(index, nullptr, &former.handle, &count) != MPI_SUCCESS) {
            taken_ = false;
            return;
        }
        const bool known = MPI_T_cvar_read(former.handle, &former.value) == MPI_SUCCESS;
        if (!known || MPI_T_cvar_write(former.handle, &each.value) != MPI_SUCCESS) {
            MPI_T_cvar_handle_free(&former.handle);
            taken_ = false;
            return;
        }
        former_.push_back(former);
    }
}

TemporaryValues::~TemporaryValues() {
    for (auto former = former_.rbegin(); former != former_.rend(); ++former) {
        MPI_T_cvar_write(former->handle, &former->value);
        MPI_T_cvar_handle_free(&former->handle);
    }
}

}  // namespace halocline::tune_bench
