/* What a reader may do about somebody who talks: ignore them, or report them to the host. The
 * page fetches this module when a name in the chat is pressed; it uses the names of page.js. */

const REPORT_MAX = 200; /* characters */
const GUEST = /^guest\d+$/; /* these names have no owner: the server can ignore all guests only */

export class Person {
    /* from: the button that was pressed. */
    /** @param {Talk} talk @param {string} name @param {HTMLElement} from */
    constructor(talk, name, from) {
        this.talk = talk;
        this.name = name;
        this.from = from;
        this.isGuest = GUEST.test(name);
        this.ignored = this.isGuest ? "guest" : name;
        this.status = el("p", { role: "status" });
        this.controls = el("div.actions");
        /** @param {KeyboardEvent} event */
        const onkeydown = (event) => {
            if (event.key !== "Escape" || event.isComposing) return;
            event.stopPropagation(); /* the board's choice stays */
            this.close();
        };
        const traits = { role: "group", tabindex: -1, "aria-label": name, onkeydown };
        this.element = el("div.person", traits, el("b", name), this.status, this.controls);
    }

    close() {
        this.element.remove();
        if (this.from.isConnected) this.from.focus();
        else this.talk.input.focus();
    }

    /* Whoever had the focus on a button that is gone has it on the group: pressing Enter again
     * does nothing. */
    /** @param {HTMLElement[]} kids */
    show(...kids) {
        const hadFocus = this.element.contains(document.activeElement);
        const close = actionButton(_("Close"), () => this.close());
        this.controls.replaceChildren(...kids, close);
        if (hadFocus) this.element.focus();
    }

    /** @param {string} line */
    ask(line) {
        return this.talk.table.line.ask(line);
    }

    /* True if the server did it; otherwise its reason is shown, and nothing else changes. */
    /** @param {string} line */
    async did(line) {
        const answer = await this.ask(line);
        if (!answer?.ok) this.status.textContent = answer ? answer.human : _("No connection.");
        return answer?.ok === true;
    }

    async offer() {
        const all = (await this.ask("ignore"))?.block.map(parseLine) ?? [];
        this.offerTo(all.some(({ words }) => words[0] === this.ignored));
    }

    /** @param {boolean} isIgnored */
    offerTo(isIgnored) {
        const ignore = this.isGuest ? _("Ignore all guests") : _("Ignore"),
            words = isIgnored ? _("Stop ignoring") : ignore;
        this.show(
            actionButton(words, () => this.ignore(!isIgnored)),
            actionButton(_("Report"), () => this.askWhy()),
        );
    }

    /** @param {boolean} isIgnored */
    async ignore(isIgnored) {
        if (!(await this.did(`${isIgnored ? "" : "un"}ignore ${this.ignored}`))) return;
        const words = _("Their words and challenges do not reach you any more.");
        this.status.textContent = isIgnored ? words : "";
        this.offerTo(isIgnored);
    }

    askWhy() {
        const words = _("What has happened?");
        const input = field({ maxlength: REPORT_MAX, placeholder: words, "aria-label": words }),
            button = submitter(_("Report"));
        const told = _("The host gets your words, and the latest lines of your chat with {name}.");
        this.status.textContent = fill(told, { name: this.name });
        this.show(form("form", () => this.report(input, button), input, button));
        input.focus();
    }

    /* A refused report stays typed. */
    /** @param {HTMLInputElement} input @param {HTMLButtonElement} button */
    async report(input, button) {
        if (button.disabled) return;
        button.disabled = true;
        const isDone = await this.did(`report ${this.name} ${input.value.trim()}`.trim());
        button.disabled = false;
        if (!isDone) return;
        this.status.textContent = _("The host has your report.");
        this.show();
    }
}
