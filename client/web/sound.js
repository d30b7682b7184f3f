/* A knock of wood for each move, which can be turned off. A browser allows no sound before
 * the reader has touched the page. */

class Sound {
    constructor() {
        this.isOn = recall("sound", "on") === "on";
        for (const kind of ["pointerdown", "keydown"])
            addEventListener(kind, () => this.wake(), { once: true, capture: true });
    }

    wake() {
        if (typeof AudioContext === "function") this.context ??= new AudioContext();
    }

    toggle() {
        this.isOn = !this.isOn;
        remember("sound", this.isOn ? "on" : "off");
        if (this.isOn) this.knock(1);
    }

    knock(times) {
        if (!this.isOn || this.context === undefined) return;
        for (let i = 0; i < times; i++) this.tone(this.context.currentTime + i * 0.14);
    }

    tone(at) {
        const tone = this.context.createOscillator(), loud = this.context.createGain();
        tone.type = "triangle";
        tone.frequency.setValueAtTime(420, at);
        tone.frequency.exponentialRampToValueAtTime(140, at + 0.06);
        loud.gain.setValueAtTime(0.25, at);
        loud.gain.exponentialRampToValueAtTime(0.001, at + 0.11);
        tone.connect(loud).connect(this.context.destination);
        tone.start(at);
        tone.stop(at + 0.12);
    }
}
