#include "serve/page.hpp"

#include "serve/http_message.hpp"

namespace hwtrace {

namespace {

/// Returns the length of the UTF-8 character at the beginning of `text`; 0 if there is none.
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : '\0'); };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    if (byte(0) < 0x80) return 1;
    if (byte(0) >= 0xC2 && byte(0) < 0xE0) return continues(1) ? 2 : 0;
    const bool is_surrogate = byte(0) == 0xED && byte(1) >= 0xA0;
    if (byte(0) >= 0xE0 && byte(0) < 0xF0)
        return continues(1) && continues(2) && (byte(0) != 0xE0 || byte(1) >= 0xA0) && !is_surrogate ? 3 : 0;
    if (byte(0) >= 0xF0 && byte(0) < 0xF5)
        return continues(1) && continues(2) && continues(3) && (byte(0) != 0xF0 || byte(1) >= 0x90) &&
                       (byte(0) != 0xF4 || byte(1) < 0x90)
                   ? 4
                   : 0;
    return 0;
}

}  // namespace

std::string json_quoted(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string quoted = "\"";
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        const char c = text[0];
        if (size == 0)
            quoted += "\\ufffd";
        else if (c == '"' || c == '\\')
            quoted.append(1, '\\').append(1, c);
        else if (c == '\n')
            quoted += "\\n";
        else if (size == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f))
            quoted.append("\\u00").append(1, digits[static_cast<unsigned char>(c) >> 4]).append(1, digits[c & 15]);
        else
            quoted.append(text.substr(0, size));
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return quoted + "\"";
}

std::string_view page_style() noexcept {
    return "body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }\n"
           "table { border-collapse: collapse; width: 100%; }\n"
           "th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; }\n"
           "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }\n"
           "input, select, button { font: inherit; padding: .2rem .4rem; }\n"
           "input[name=sql] { width: 32rem; max-width: 100%; }\n"
           "code { font-size: .9em; }\n"
           ":root { color-scheme: light dark; }\n";
}

std::string index_page(const std::vector<ListedFile>& files, bool has_query) {
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>hwtrace</title>\n"
        "<link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n<body>\n<h1>Traces</h1>\n<table>\n"
        "<tr><th>File</th><th class=\"number\">Bytes</th><th>Modified</th><th>Data</th></tr>\n";
    std::string options;
    std::size_t number = 0;
    for (const ListedFile& file : files) {
        const std::string shown = html_escaped(file.name), encoded = percent_encoded(file.name);
        page += "<tr><td><a href=\"/report/" + encoded + "\">" + shown + "</a></td><td class=\"number\">" +
                (file.modified.empty() ? "" : std::to_string(file.size)) + "</td><td>" + html_escaped(file.modified) +
                "</td><td><a href=\"/api/info?file=" + encoded + "\">info</a> · <a href=\"/api/dump?file=" + encoded +
                "&amp;format=text&amp;limit=1000\">records</a> · <a href=\"/api/dump?file=" + encoded +
                "&amp;format=csv\">CSV</a></td></tr>\n";
        // By number: a browser changes blanks, and bytes that are not UTF-8, in what a form sends.
        options += "<option value=\"" + std::to_string(number++) + "\">" + shown + "</option>";
    }
    page +=
        "</table>\n<p>A name opens the report of the whole trace.</p>\n"
        "<h2>Report of a slice</h2>\n<p>Add a range to the address of a report: <code>?range=10us:20us</code></p>\n";
    if (has_query)
        page += "<h2>Query</h2>\n<form action=\"/api/query\">\n<p><label>File <select name=\"file\">" + options +
                "</select></label></p>\n<p><label>SQL <input name=\"sql\" value=\"SELECT * FROM tracks\"></label>\n"
                "<input type=\"hidden\" name=\"format\" value=\"text\"><button>Run</button></p>\n</form>\n";
    return page + "</body>\n</html>\n";
}

}  // namespace hwtrace
