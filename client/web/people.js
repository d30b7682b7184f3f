/* What a reader may do about somebody who talks: ignore them, or report them to the host. The page fetches this module
 * when a name in the chat is pressed; it uses the names of page.js. */

const REPORT_MAX = 200; /* characters */

export class Person {
    constructor(talk, name) {
        this.talk = talk;
        this.name = name;
        this.element = el("div", { class: "actions person", role: "group", "aria-label": name, onkeydown: (event) => {
            if (event.key === "Escape") this.close();
        } });
        this.offer();
    }

    close() {
        this.element.remove();
        this.talk.input.focus();
    }

    show(...kids) {
        this.element.replaceChildren(...kids, actionButton(_("Close"), () => this.close()));
        this.element.querySelector("input, button")?.focus();
    }

    tell(words, ...kids) {
        this.show(el("span", { role: "status", text: words }), ...kids);
    }

    offer() {
        this.show(el("b", { text: this.name }), actionButton(_("Ignore"), () => this.ignore()), actionButton(_("Report"), () => this.askWhy()));
    }

    /* True if the server did it; otherwise its reason is shown. */
    async did(line) {
        const answer = await this.talk.table.line.ask(line);
        if (!answer?.ok) this.tell(answer ? answer.human : _("No connection."));
        return answer?.ok === true;
    }

    async ignore() {
        if (await this.did("ignore " + this.name))
            this.tell(fill(_("Nothing that {name} says reaches you any more."), this), actionButton(_("Undo"), () => this.hear()));
    }

    async hear() {
        if (await this.did("unignore " + this.name)) this.offer();
    }

    askWhy() {
        const words = _("What has happened?");
        const input = el("input", { type: "text", maxlength: REPORT_MAX, autocomplete: "off", placeholder: words, "aria-label": words });
        this.show(el("p", { text: fill(_("The host gets your words, and the latest lines between you and {name}."), this) }),
            el("form", { onsubmit: (event) => {
                event.preventDefault();
                this.report(input.value.trim());
            } }, input, el("button", { type: "submit", class: "tool", text: _("Report") })));
    }

    async report(words) {
        if (await this.did(`report ${this.name} ${words}`.trim())) this.tell(_("The host has your report."));
    }
}
