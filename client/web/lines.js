/* Lines of PROTOCOL.md. */

/* "OK watch game=3 next=0 : words" as { mark, words: ["watch"], items: {game: "3"}, human }. */
/** @param {string} line @returns {Parsed} */
function parseLine(line) {
    /** @type {Parsed} */
    const out = { mark: "", words: [], items: {}, human: "", line };
    const part = /\s*(?:([a-z_]+)=(?:"([^"]*)"|(\S*))|(\S+))/y;
    for (let found; (found = part.exec(line)) !== null;) {
        if (found[4] === ":") {
            out.human = line.slice(part.lastIndex + 1);
            break;
        }
        if (found[1] !== undefined) out.items[found[1]] = found[2] ?? found[3];
        else if (out.mark === "") out.mark = found[4];
        else out.words.push(found[4]);
    }
    return out;
}
