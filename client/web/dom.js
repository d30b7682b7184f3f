/* Elements and words. All that others wrote becomes text, never HTML. */
"use strict";

/* Sets what is given: "on..." a listener, "text" the text, all others attributes; and what is in
 * it. Classes follow the name of the element: "p.faint.hint". */
/** @template {Element} T @param {T} element @param {string[]} classes @param {Inside} inside */
function dress(element, classes, inside) {
    const [traits] = inside,
        hasTraits = traits && typeof traits === "object" && !(traits instanceof Node);
    if (classes.length > 0) element.setAttribute("class", classes.join(" "));
    for (const [name, value] of Object.entries(hasTraits ? traits : {})) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function")
            element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
        else if (name === "text") element.textContent = String(value);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    const kids = /** @type {Kid[]} */ (hasTraits ? inside.slice(1) : inside);
    element.append(...kids.filter((kid) => kid != null));
    return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} T @param {T | `${T}.${string}`} name
 * @param {Inside} inside @returns {HTMLElementTagNameMap[T]}
 */
function el(name, ...inside) {
    const [tag, ...classes] = name.split(".");
    return dress(document.createElement(/** @type {T} */ (tag)), classes, inside);
}

/**
 * @template {keyof SVGElementTagNameMap} T @param {T | `${T}.${string}`} name
 * @param {Inside} inside @returns {SVGElementTagNameMap[T]}
 */
function draw(name, ...inside) {
    const [tag, ...classes] = name.split("."),
        element = document.createElementNS("http://www.w3.org/2000/svg", /** @type {T} */ (tag));
    return dress(element, classes, inside);
}

/* A form, which stays on the page. */
/** @param {"form" | `form.${string}`} name @param {() => unknown} onsubmit @param {Kid[]} kids */
function form(name, onsubmit, ...kids) {
    const submit = (/** @type {Event} */ event) => (event.preventDefault(), onsubmit());
    return el(name, { onsubmit: submit }, ...kids);
}

/* A line of text to type. */
/** @param {Traits} traits */
function field(traits) {
    return el("input", { type: "text", autocomplete: "off", ...traits });
}

/* A line of text to copy. */
/** @param {string} label @param {string} value */
function keepsake(label, value) {
    /** @type {HTMLInputElement} */
    const line = field({
        readonly: true,
        "aria-label": label,
        value,
        onfocus: () => line.select(),
    });
    return line;
}

/** @param {string} text @param {boolean} [isMain] */
function submitter(text, isMain) {
    return el("button", { type: "submit", class: isMain ? "main tool" : "tool", text });
}

/* A list to choose from: the words by value. An object has its numbers first, but "any" is. */
/**
 * @param {Record<string, string>} words @param {string} chosen
 * @param {(value: string) => void} [onchange] @param {string} [label]
 */
function picker(words, chosen, onchange, label) {
    const options = Object.entries(words)
        .sort(([a], [b]) => Number(b === "any") - Number(a === "any"))
        .map(([value, text]) => el("option", { value, text }));
    const take = () => onchange?.(list.value);
    /** @type {HTMLSelectElement} */
    const list = el("select", { "aria-label": label, onchange: take }, ...options);
    list.value = chosen;
    return list;
}

/* For values that are their own words. */
/** @param {string[]} names @returns {Record<string, string>} */
function same(names) {
    return Object.fromEntries(names.map((name) => [name, name]));
}

/* Gives an element these kids, unless it has the same already: what has the focus keeps it, and a
 * screen reader says nothing twice. The focus of one that is replaced stays in its place. */
/** @param {Element} element @param {(HTMLElement | SVGElement)[]} kids */
function refill(element, kids) {
    const old = [...element.children],
        had = old.findIndex((kid) => kid === document.activeElement);
    if (kids.length === old.length && kids.every((kid, i) => kid.isEqualNode(old[i]))) return;
    element.replaceChildren(...kids);
    if (had >= 0) kids[Math.min(had, kids.length - 1)]?.focus();
}

/* Stores the reader's choices in the browser, which may refuse both reading and
 * writing. */
/** @param {string} key @param {string} otherwise */
function recall(key, otherwise) {
    try {
        return localStorage.getItem("janggi." + key) ?? otherwise;
    } catch {
        return otherwise;
    }
}

/** @param {string} key @param {string} value */
function remember(key, value) {
    try {
        localStorage.setItem("janggi." + key, value);
        return true;
    } catch {
        return false;
    }
}

/* --- Words in the reader's language --- */

/** @type {Map<string, string>} */
const catalogue = new Map(); /* by the English words */

/* undefined: not translated. */
/** @param {string} words */
function translation(words) {
    return catalogue.get(words);
}

/** @param {string} words */
function _(words) {
    return translation(words) ?? words;
}

/* Marks words in a table, which are shown later. */
/** @param {string} words */
function N_(words) {
    return words;
}

/* "{name} to move" with what stands for the names. */
/** @param {string} words @param {Record<string, string | number>} values */
function fill(words, values) {
    return words.replace(/\{([a-z]+)\}/g, (all, name) => String(values[name] ?? all));
}

function chosenLanguage() {
    return recall("language", (navigator.language ?? "").startsWith("ko") ? "ko" : "en");
}

/* "until 3/4/2026, 12:00:00"; "0" is forever. */
/** @param {string | undefined} seconds since 1970 */
function untilWords(seconds) {
    const time = new Date(1000 * Number(seconds)).toLocaleString(chosenLanguage());
    return seconds === "0" ? _("forever") : _("until %s").replace("%s", time);
}

/* The words of the page, or with a name those of the part that has this name. English is better
 * than nothing. */
/** @param {string | URL} files @param {string} [name] */
async function loadWords(files, name = "") {
    let language = chosenLanguage();
    try {
        if (language !== "en") {
            const answer = await fetch(new URL(`${language}${name}.json`, files));
            for (const [key, words] of Object.entries(await answer.json()))
                catalogue.set(key, words);
        }
    } catch {
        language = "en";
    }
    if (name === "") document.documentElement.lang = language;
}

/** @type {Map<string, Promise<unknown>>} */
const parts = new Map();
const PART_LOST = N_("A part of this page could not be fetched. Load the page again.");

/* A part of the page that is fetched when it is needed, with its words. */
/**
 * @template {keyof Parts} K @param {string | URL} files @param {K} name
 * @returns {Promise<Parts[K]>}
 */
function loadPart(files, name) {
    if (!parts.has(name)) {
        const words = loadWords(files, "-" + name),
            loading = import(String(new URL(name + ".js", files)));
        parts.set(
            name,
            Promise.all([loading, words]).then(([part]) => part),
        );
        loading.catch(() => parts.delete(name));
    }
    return /** @type {Promise<Parts[K]>} */ (parts.get(name));
}

/* Offers text as a file. */
/** @param {string} name @param {string} type @param {string} text */
function download(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = el("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}
