/* Elements and words. All that others wrote goes through textContent. */
"use strict";

/* Sets what is given: "on..." a listener, "text" the text, all others attributes. */
function dress(element, traits, kids) {
    for (const [name, value] of Object.entries(traits ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "text") element.textContent = value;
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...kids.filter((kid) => kid !== null && kid !== undefined));
    return element;
}

function el(tag, traits, ...kids) {
    return dress(document.createElement(tag), traits, kids);
}

function draw(tag, traits, ...kids) {
    return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), traits, kids);
}

/* Stores the reader's choices in the browser, which may refuse both reading and
 * writing. */
function recall(key, otherwise) {
    try {
        return localStorage.getItem("janggi." + key) ?? otherwise;
    } catch {
        return otherwise;
    }
}

function remember(key, value) {
    try {
        localStorage.setItem("janggi." + key, value);
        return true;
    } catch {
        return false;
    }
}

/* --- Words in the reader's language --- */

const catalogue = new Map(); /* by the English words */

/* undefined: not translated. */
function translation(words) {
    return catalogue.get(words);
}

function _(words) {
    return translation(words) ?? words;
}

/* Marks words in a table, which are shown later. */
function N_(words) {
    return words;
}

/* "{name} to move" with what stands for the names. */
function fill(words, values) {
    return words.replace(/\{([a-z]+)\}/g, (all, name) => values[name] ?? all);
}

function chosenLanguage() {
    return recall("language", (navigator.language ?? "").startsWith("ko") ? "ko" : "en");
}

/* The words of the page, or with a name those of the part that has this name. English is better
 * than nothing. */
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

const parts = new Map();
const PART_LOST = N_("A part of this page could not be fetched. Load the page again.");

/* A part of the page that is fetched when it is needed, with its words. */
function loadPart(files, name) {
    if (!parts.has(name)) {
        const loading = Promise.all([
            import(new URL(name + ".js", files)),
            loadWords(files, "-" + name),
        ]);
        parts.set(
            name,
            loading.then(([part]) => part),
        );
        loading.catch(() => parts.delete(name));
    }
    return parts.get(name);
}

/* Offers text as a file. */
function download(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = el("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}
