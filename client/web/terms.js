/* The terms of a game, and the ratings of its players, as words. */

/* "10m+5s · martin · you play Blue · rated" of a game, a seek or a challenge; side is the one
 * that its maker takes. */
/** @param {Core} core @param {Items} items */
function termsWords(core, items) {
    /** @type {Items} */
    const sides = {
        red: _("you play Blue"),
        blue: _("you play Red"),
        rank: _("the higher rank plays Red"),
    };
    return [
        items.time === "none" ? _("no clock") : items.time,
        items.rules,
        sides[items.side],
        core.manners(items).replace(/^, /, ""),
        rangeWords(items),
    ]
        .filter(Boolean)
        .join(" · ");
}

/* Which opponents a seek is for. */
/** @param {Items} what */
function rangeWords({ range }) {
    const span = range === undefined ? "" : range.includes("-") ? range : "±" + range;
    return span && fill(_("opponent's rating {range}"), { range: span });
}

/** @type {Record<string, string>} */
const RANKS = { d: N_("%dd"), k: N_("%dk") };

/* "4k" in the reader's language. */
/** @param {string | undefined} rank */
function rankWords(rank) {
    const found = /^(\d+)([kd])$/.exec(rank ?? "");
    return found === null ? "" : _(RANKS[found[2]]).replace("%d", found[1]);
}

/* "1512 4k", or "1512?" of a rating that is not firm; "" without one. */
/** @param {Items} what */
function ratingWords({ rating, rank, firm }) {
    if (rating === undefined) return "";
    return `${rating}${firm === "no" && !rating.endsWith("?") ? "?" : ""} ${rankWords(rank)}`.trim();
}

/* The same of a side, among the items that have both. */
/** @param {Items} items @param {Side} side */
function ratingOf(items, side) {
    return ratingWords({ rating: items[side], rank: items[side + "_rank"] });
}

/* The pool in which a game of these terms counts. */
/** @param {Items} what */
function poolOf({ time, rules }) {
    return /^\d+d$/.test(time) ? "days" : ["kja", "martin"].includes(rules) ? rules : "classic";
}
