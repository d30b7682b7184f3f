/* The times that both clocks show: the figures of the last line that had them, and the
 * time since. */

const SIDES = /** @type {const} */ (["red", "blue"]);
/** @type {Record<string, number>} */
const UNITS = { h: 3600000, m: 60000, s: 1000, d: 86400000 };

/** @param {string} time */
function timeTerms(time) {
    /** @param {string} text */
    const span = (text) => Number.parseInt(text, 10) * UNITS[text.slice(-1)];
    const periods = /\+(\d+)x(\d+[hms])$/.exec(time);
    if (/^\d+d$/.test(time)) return { periodMs: span(time) };
    return { periodMs: periods ? span(periods[2]) : 0 };
}

/* "9:58", "1:02:03", "2 d 4 h"; with tenths "0:09.4". */
/** @param {number} ms @param {boolean} [hasTenths] */
function clockWords(ms, hasTenths = false) {
    if (hasTenths)
        return `0:${(Math.max(0, Math.floor(ms / 100)) / 10).toFixed(1).padStart(4, "0")}`;
    const s = Math.max(0, Math.ceil(ms / 1000)),
        hours = Math.floor(s / 3600),
        two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    if (s >= 2 * 86400)
        return fill(_("{days} d {hours} h"), { days: Math.floor(hours / 24), hours: hours % 24 });
    const tail = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
    return s >= 3600 ? `${Math.floor(s / 3600)}:${tail}` : tail.replace(/^0/, "");
}

/* Periods count the current one. A clock is in its main time, or in a period. */
class Clocks {
    /** @param {string} time */
    constructor(time) {
        this.periodMs = timeTerms(time).periodMs;
        /** @type {Record<Side, Left | null>} */
        this.sides = { red: null, blue: null };
        this.mainMs = { red: 0, blue: 0 }; /* as of the last event */
        this.running = "none";
        this.since = performance.now();
    }

    /* An event has the main time; any other line what is shown at the moment. */
    /** @param {Items} items @param {string} running @param {boolean} isEvent */
    take(items, running, isEvent) {
        const now = { red: this.shown("red"), blue: this.shown("blue") };
        for (const side of SIDES) {
            this.sides[side] = now[side];
            if (items[side + "_ms"] !== undefined) this.takeSide(side, items, isEvent);
        }
        this.running = running;
        this.since = performance.now();
    }

    /** @param {Side} side @param {Items} items @param {boolean} isEvent */
    takeSide(side, items, isEvent) {
        const ms = Number(items[side + "_ms"]),
            periods = Number(items[side + "_periods"] ?? 0);
        if (isEvent) this.mainMs[side] = ms;
        const seemsIn = periods > 0 && (this.mainMs[side] === 0 || ms > this.mainMs[side]);
        /* Events do not tell it, nor do servers of 0.1.0. */
        const inPeriod = items.in_period?.includes(side) ?? seemsIn;
        this.sides[side] = { ms: isEvent && inPeriod ? this.periodMs : ms, periods, inPeriod };
    }

    /* { ms, periods, inPeriod, more }, or null in an untimed game; `more` periods follow the
     * time in ms. */
    /** @param {Side} side */
    shown(side) {
        const left = this.sides[side];
        if (left === null) return null;
        let { ms, periods, inPeriod } = left;
        if (this.running === side) ms -= performance.now() - this.since;
        for (; ms < 0 && periods > (inPeriod ? 1 : 0); inPeriod = true) {
            ms += this.periodMs;
            if (inPeriod) periods--;
        }
        return { ms: Math.max(0, ms), periods, inPeriod, more: periods - (inPeriod ? 1 : 0) };
    }

    stop() {
        this.take({}, "none", false);
    }
}
