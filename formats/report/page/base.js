// base.js - what all parts of the page share: data, exact numbers and times, elements, tables.
'use strict';
const hwtraceReport = {};
window.addEventListener('error', (event) => {
    document.documentElement.dataset.error = String(event.message);
});
window.addEventListener('unhandledrejection', (event) => {
    document.documentElement.dataset.error = String(event.reason);
});
document.addEventListener('securitypolicyviolation', (event) => {
    document.documentElement.dataset.error = 'policy: ' + event.violatedDirective;
});

(() => {
    const R = hwtraceReport;
    R.data = JSON.parse(document.getElementById('data').textContent);

    // --- elements ---

    /// Makes an element. Children that are no elements become text, so that no text of a trace is read as HTML.
    R.el = (name, attributes = {}, ...children) => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) {
            if (value === undefined || value === null || value === false) continue;
            if (key.startsWith('on'))
                element.addEventListener(key.slice(2), value);
            else
                element.setAttribute(key, value === true ? '' : String(value));
        }
        element.append(...children.filter((child) => child !== null && child !== undefined));
        return element;
    };
    R.svg = (name, attributes = {}, ...children) => {
        const element = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const [key, value] of Object.entries(attributes))
            element.setAttribute(key, String(value));
        element.append(...children);
        return element;
    };

    // --- numbers ---
    // Integers beyond 2^53 are strings in the data; BigInt() takes both.

    const group = (digits) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
    R.integer = (value) => {
        const text = String(value);
        return text.startsWith('-') ? '-' + group(text.slice(1)) : group(text);
    };
    /// Returns numerator / denominator with up to `digits` decimals; "\u2248" stands before a rounded value.
    R.ratio = (numerator, denominator, digits) => {
        if (denominator === 0n) return '\u2013';
        const sign = numerator < 0n ? '-' : '';
        const positive = numerator < 0n ? -numerator : numerator;
        const scale = 10n ** BigInt(digits);
        const scaled = (positive * scale * 2n + denominator) / (denominator * 2n);
        const isExact = positive * scale % denominator === 0n;
        const fraction = String(scaled % scale).padStart(digits, '0').replace(/0+$/, '');
        return (isExact ? '' : '\u2248') + sign + group(String(scaled / scale)) +
            (fraction === '' ? '' : '.' + fraction);
    };
    R.percent = (part, whole, digits = 2) => {
        if (whole === 0n) return '\u2013';
        const text = R.ratio(part * 100n, whole, digits);
        return (text === '\u22480'       ? '<' + (10 ** -digits).toFixed(digits) :
                    text === '\u2248100' ? '>' + (100 - 10 ** -digits).toFixed(digits) :
                                           text) +
            ' %';
    };
    R.plural = (count, name) => `${R.integer(count)} ${name}${String(count) === '1' ? '' : 's'}`;

    const prefixes = [['s', 0], ['ms', 3], ['\u00b5s', 6], ['ns', 9], ['ps', 12], ['fs', 15]];
    /// Returns the text of numerator / divisor ticks of a time base. `places` limits the decimals.
    R.ticks = (numerator, base, places = 3, divisor = 1n) => {
        const value = BigInt(numerator), den = BigInt(base.den);
        if (base.kind !== 'seconds') {
            const name = base.kind === 'cycles' ? ' cycle' : ' position';
            return R.ratio(value, divisor, places) + name + (value === divisor ? '' : 's');
        }
        if (den === 0n) return R.ratio(value, divisor, places) + ' ticks';
        const top = value * BigInt(base.num), bottom = divisor * den;
        const size = top < 0n ? -top : top;
        const [name, power] = size === 0n ?
            prefixes[0] :
            prefixes.find(([, exponent]) => size * 10n ** BigInt(exponent) >= bottom) ?? prefixes[5];
        return R.ratio(top * 10n ** BigInt(power), bottom, places) + '\u00a0' + name;
    };
    /// Returns a length of the report's time; `time` also adds the start of the trace.
    R.length = (ticks, places) => R.ticks(ticks, R.data.unit, places);
    R.moment = (ticks, base, places) => base.kind === 'ordinal' ? '#' + R.integer(ticks) : R.ticks(ticks, base, places);
    R.time = (offset, places) => R.moment(BigInt(R.data.begin) + BigInt(offset), R.data.unit, places);
    /// Returns an exact length for tooltips.
    R.exact = (ticks, base) =>
        R.ticks(ticks, base, 18) + (base.kind === 'seconds' ? ' (' + R.integer(ticks) + ' ticks)' : '');

    /// Returns the begin of the first bin of 2^shift ticks, relative to the begin of the trace.
    R.binOrigin = (shift) => {
        const width = 1n << BigInt(shift);
        return -Number((BigInt(R.data.begin) % width + width) % width);
    };

    R.scopeName = (scope) => scope === undefined ? '' : (R.data.scopes[scope] ?? ['scope ' + scope])[0];
    R.inScope = (scope, label) => scope === undefined ? label : R.scopeName(scope) + '/' + label;

    // --- tables ---

    /// A cell: `value` is sorted and compared, `text` is shown.
    R.cell = (value, text = typeof value === 'string' ? value : R.integer(value), title = undefined) =>
        ({value, text, title});
    const less = (left, right) => left < right ? -1 : left > right ? 1 : 0;
    const compare = (left, right) =>
        typeof left === typeof right || typeof left !== 'string' && typeof right !== 'string' ? less(left, right) :
        typeof left === 'string'                                                              ? 1 :
                                                                                                -1;

    /// Makes a table that sorts by a click on a heading and has a filter. columns: {key, title, number, help}; rows:
    /// arrays of cells. `select(index)` is called when a row is chosen.
    R.table = ({name, caption, columns, rows, sort = null, page = 50, select = null}) => {
        const body = R.el('tbody'), count = R.el('p', {class: 'note', 'aria-live': 'polite'});
        const more = R.el('button', {
            type: 'button',
            class: 'more',
            onclick: () => {
                shown = Infinity;
                fill();
            }
        });
        const foot = R.el('div', {class: 'bar'}, count, more);
        let order = rows.map((row, index) => index), shown = page, words = [], by = sort;
        const fill = () => {
            const found = order.filter(
                (index) => words.every((word) => rows[index].some((cell) => cell.text.toLowerCase().includes(word))));
            const visible = found.slice(0, shown);
            body.replaceChildren(...visible.map(
                (index) => R.el(
                    'tr', {
                        'data-row': index,
                        tabindex: select ? 0 : undefined,
                        onclick: select ? () => select(index) : undefined,
                        onkeydown: select ?
                            (event) => {
                                if (event.key === 'Enter') select(index);
                            } :
                            undefined
                    },
                    ...rows[index].map(
                        (cell, column) => R
                                              .el('td', {
                                                  class: columns[column].number ? 'number' : undefined,
                                                  'data-column': columns[column].key,
                                                  'data-value': cell.value,
                                                  title: cell.title
                                              },
                                                  cell.text)))));
            count.textContent = found.length === rows.length && visible.length === found.length ?
                '' :
                `${R.integer(visible.length)} of ${R.integer(found.length)} rows shown` +
                    (found.length < rows.length ? `, ${R.integer(rows.length)} in all` : '');
            foot.hidden = count.textContent === '';
            more.hidden = visible.length === found.length;
            more.textContent = `Show all ${R.integer(found.length)} rows`;
        };
        const heads = columns.map(
            (column, index) => R.el(
                'th', {scope: 'col', class: column.number ? 'number' : undefined, title: column.help},
                R.el(
                    'button', {
                        type: 'button',
                        onclick: () => {
                            by = {
                                column: index,
                                down: by !== null && by.column === index ? !by.down : Boolean(column.number)
                            };
                            arrange();
                        }
                    },
                    column.title)));
        const arrange = () => {
            if (by !== null)
                order.sort(
                    (left, right) =>
                        (by.down ? -1 : 1) * compare(rows[left][by.column].value, rows[right][by.column].value) ||
                        left - right);
            heads.forEach(
                (head, index) => head.setAttribute(
                    'aria-sort',
                    by === null || by.column !== index ? 'none' :
                        by.down                        ? 'descending' :
                                                         'ascending'));
            fill();
        };
        const filter = rows.length < 8 ? null : R.el('input', {
            type: 'search',
            placeholder: 'Filter',
            'aria-label': 'Filter ' + caption,
            oninput: (event) => {
                words = event.target.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
                shown = page;
                fill();
            }
        });
        arrange();
        R.beforePrint.push(() => {
            if (rows.length <= 1000) {
                shown = Infinity;
                fill();
            }
        });
        return R.el(
            'div', {class: 'table'}, R.el('div', {class: 'bar'}, R.el('h3', {}, caption), filter),
            R.el(
                'div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
                R.el('table', {id: name}, R.el('thead', {}, R.el('tr', {}, ...heads)), body)),
            foot);
    };
    R.beforePrint = [];
    window.addEventListener('beforeprint', () => R.beforePrint.forEach((action) => action()));

    // --- drawing ---

    /// Calls `redraw` when the size of the window or the colour scheme changes.
    R.watch = (element, redraw) => {
        let width = -1;
        new ResizeObserver(() => {
            if (element.clientWidth === width) return;
            width = element.clientWidth;
            requestAnimationFrame(redraw);
        }).observe(element);
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
        matchMedia('print').addEventListener('change', redraw);
    };
    R.color = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    R.isDark = () => matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches;
    const hues = [212, 28, 150, 340, 262, 52, 185, 4, 95, 300, 235, 125];
    const hueOf = new Map(R.data.texts.map((name, index) => [name, hues[index % hues.length]]));
    /// Returns the colour of a name of slices. The same name always has the same colour.
    R.nameColor = (name) => {
        const hue = hueOf.get(name) ?? hues[0];
        return R.isDark() ? `hsl(${hue} 38% 38%)` : `hsl(${hue} 62% 76%)`;
    };
    /// Returns a colour for any name.
    R.hashColor = (name) => {
        let hash = 7;
        for (let i = 0; i < name.length; ++i)
            hash = hash * 31 + name.charCodeAt(i) >>> 0;
        const hue = hues[hash % hues.length];
        return R.isDark() ? `hsl(${hue} 38% 38%)` : `hsl(${hue} 62% 76%)`;
    };
    /// Prepares a canvas for a size in CSS pixels, and returns its context.
    R.context = (canvas, width, height) => {
        const scale = Math.min(window.devicePixelRatio || 1, 3);
        if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(height * scale);
        }
        canvas.style.width = width + 'px';
        canvas.style.height = height + 'px';
        const context = canvas.getContext('2d');
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        context.font = '11px system-ui, sans-serif';
        context.textBaseline = 'middle';
        return context;
    };
    const ellipsis = '\u2026';
    /// Writes text that is cut to a width.
    R.drawText = (context, text, x, y, width) => {
        if (width < 12) return;
        let shown = text;
        if (shown.length > 200) shown = shown.slice(0, 200);
        if (context.measureText(shown).width > width) {
            let low = 0, high = shown.length;
            while (low < high) {
                const middle = (low + high + 1) >> 1;
                if (context.measureText(shown.slice(0, middle) + ellipsis).width <= width)
                    low = middle;
                else
                    high = middle - 1;
            }
            if (low === 0) return;
            shown = shown.slice(0, low) + ellipsis;
        }
        context.fillText(shown, x, y);
    };

    // --- the small window with details under the pointer ---

    const tip = R.el('div', {id: 'tip', role: 'presentation', hidden: true});
    document.body.append(tip);
    R.showTip = (event, lines) => {
        if (lines === null) {
            tip.hidden = true;
            return;
        }
        tip.textContent = lines.join('\n');
        tip.hidden = false;
        const x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8), y = event.clientY + 16;
        tip.style.left = Math.max(4, x) + 'px';
        tip.style.top =
            (y + tip.offsetHeight > window.innerHeight - 8 ? Math.max(4, event.clientY - tip.offsetHeight - 10) : y) +
            'px';
    };
})();
