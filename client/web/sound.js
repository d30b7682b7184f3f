/* Knocks of wood for what happens on the board, which can be turned off. A browser allows no
 * sound before the reader has touched the page. */

const KNOCK = 420,
    CAPTURE = 280,
    CHECK = 700,
    LOW_TIME = 900;

class Sound {
    constructor() {
        this.isOn = recall("sound", "on") === "on";
        /** @type {AudioContext | undefined} */
        this.context = undefined;
        for (const kind of ["pointerdown", "keydown"])
            addEventListener(kind, () => this.wake(), { once: true, capture: true });
    }

    wake() {
        if (typeof AudioContext === "function") this.context ??= new AudioContext();
    }

    toggle() {
        this.isOn = !this.isOn;
        remember("sound", this.isOn ? "on" : "off");
        if (this.isOn) this.knock([KNOCK]);
    }

    /* One after the other, by their pitch in Hz. */
    /** @param {number[]} pitches */
    knock(pitches) {
        const { context } = this;
        if (!this.isOn || context === undefined) return;
        pitches.forEach((pitch, i) => this.tone(context, pitch, context.currentTime + i * 0.14));
    }

    /** @param {AudioContext} context @param {number} pitch @param {number} at */
    tone(context, pitch, at) {
        const tone = context.createOscillator(),
            loud = context.createGain();
        tone.type = "triangle";
        tone.frequency.setValueAtTime(pitch, at);
        tone.frequency.exponentialRampToValueAtTime(pitch / 3, at + 0.06);
        loud.gain.setValueAtTime(0.25, at);
        loud.gain.exponentialRampToValueAtTime(0.001, at + 0.11);
        tone.connect(loud).connect(context.destination);
        tone.start(at);
        tone.stop(at + 0.12);
    }
}
