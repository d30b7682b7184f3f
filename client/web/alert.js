/* Shows a system notification to a reader who looks elsewhere, if the browser has notifications
 * and the reader has allowed them. (The title of the page and the sound need no permission.) On
 * some phones the constructor throws; then there is no notification. */

class Alerts {
    constructor() {
        this.isPossible =
            typeof Notification === "function" && Notification.permission !== "denied";
        this.isOn =
            this.isPossible &&
            Notification.permission === "granted" &&
            recall("alerts", "off") === "on";
    }

    async toggle() {
        const allowed = this.isOn ? null : await Notification.requestPermission();
        this.isOn = allowed === "granted";
        remember("alerts", this.isOn ? "on" : "off");
        return this.isOn;
    }

    /** @param {string} title @param {string} words */
    tell(title, words) {
        if (!this.isOn || !document.hidden) return;
        try {
            const message = new Notification(title, { body: words, tag: "janggi" });
            message.onclick = () => {
                focus();
                message.close();
            };
        } catch {
            this.isPossible = this.isOn = false;
        }
    }
}
