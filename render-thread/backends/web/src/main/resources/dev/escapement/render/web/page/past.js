/* Looking back: fetches pictures of kept ticks, a few around the one that is shown, and plays them at any speed in both directions. */

const CHUNK = 16;
const BEHIND = 3;
const MOST_PICTURES = 160;
const PATIENCE_MILLIS = 3000;

export class Past {

    constructor(send) {
        this.send = send;
        this.pictures = new Map(); // tick -> picture, or null if the server has none
        this.position = 0; // ticks, with a part of the next one
        this.speed = 0; // ticks per second, negative: backwards
        this.oldest = 0;
        this.newest = 0;
        this.askedMillis = null; // of the request that is not answered
    }

    moveTo(position) {
        this.position = Math.min(this.newest, Math.max(this.oldest, position));
    }

    /** Moves on by playing. Waits for pictures that are not there yet. Returns whether it has reached the newest one. */
    play(elapsedMillis) {
        if (this.speed !== 0 && this.pair() !== null) {
            const wanted = this.position + this.speed * Math.min(elapsedMillis, 100) / 1000;
            this.moveTo(wanted);
            if (this.position > wanted) {
                this.speed = 0; // the oldest
            }
            return this.position < wanted;
        }
        return false;
    }

    /** The pictures around the position, and how far it lies between them. Null while they are fetched. */
    pair() {
        const tick = Math.floor(this.position);
        this.fetchAround(tick);
        const a = this.near(tick, -1);
        const b = this.near(tick + 1, 1);
        if (a && b) {
            return {a, b, alpha: (this.position - a.tick) / (b.tick - a.tick)};
        }
        return a && this.position === tick ? {a, b: a, alpha: 0} : null;
    }

    /** The next picture from a tick on that the server has; undefined if that is not known yet. */
    near(tick, direction) {
        let next = tick;
        while (this.pictures.get(next) === null && Math.abs(next - tick) < CHUNK) {
            next += direction;
        }
        return this.pictures.get(next);
    }

    /** Asks for what is not known yet: the two that are shown, then those in the direction of play, then some in the other. */
    fetchAround(tick) {
        const now = performance.now();
        if (this.askedMillis !== null && now - this.askedMillis < PATIENCE_MILLIS) {
            return;
        }
        const forwards = this.speed >= 0;
        for (let i = 0; i < CHUNK + BEHIND; i++) {
            const ahead = i < CHUNK ? i : CHUNK - 1 - i;
            const wanted = forwards ? tick + ahead : tick + 1 - ahead;
            if (wanted >= this.oldest && wanted <= this.newest && !this.pictures.has(wanted)) {
                const from = Math.max(this.oldest, forwards && ahead >= 0 ? wanted : wanted - CHUNK + 1);
                this.askedMillis = now;
                this.send({type: "history", from, count: Math.min(CHUNK, this.newest - from + 1)});
                return;
            }
        }
    }

    add(picture) {
        this.pictures.set(picture.tick, picture);
    }

    /** The answer is complete: what it did not have is not kept. */
    end(message) {
        this.askedMillis = null;
        for (let tick = message.from; tick < message.from + message.count; tick++) {
            if (!this.pictures.has(tick)) {
                this.pictures.set(tick, null);
            }
        }
        if (this.pictures.size > MOST_PICTURES) {
            this.pictures = new Map([...this.pictures].filter(([tick]) => Math.abs(tick - this.position) < MOST_PICTURES / 3));
        }
    }
}
