#include "codec/field_keys.hpp"

#include "domain/utf8.hpp"

namespace hwtrace {

void FieldKeys::extend(const std::vector<Field>& fields) {
    while (size() < fields.size()) {
        const Field& field = fields[size()];
        std::string key = as_utf8(field.name);
        if (key != field.name || find(key) != none) {
            const std::string name = key;
            if (field.phase != Phase::unknown) key.append("@").append(name_of(field.phase));
            if (key == name || find(key) != none) key = name + "#" + std::to_string(size());
            while (find(key) != none)
                key += '#';
        }
        keys_.add(key);
    }
}

}  // namespace hwtrace
