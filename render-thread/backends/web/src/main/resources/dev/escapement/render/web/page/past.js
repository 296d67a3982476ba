/* The past: fetches pictures around the shown one, and plays them. When the server is gone, only the page's own pictures are left. */

const CHUNK = 16;
const OFFSETS = [...Array(CHUNK).keys(), -1, -2, -3]; // the two shown ticks, more in the direction of play, and a few in the opposite one
const MAX_PICTURES = 160;
const PATIENCE_MILLIS = 3000;
const MAX_KEPT_BODIES = 4e6; // the maximum in all pictures: 128 MB
/** The memory of a picture without its bodies, as a number of bodies. */
const OF_A_PICTURE = 40;

export class Past {
    pictures = new Map(); // tick -> picture, or null if the server has none
    position = 0; // in ticks; the fraction is the part of the way to the next tick
    speed = 0; // ticks per second, negative: backwards
    askedMillis = -Infinity; // when the pending request was sent
    kept = []; // live pictures

    /** Creates the past. `page` has send(message), and its state has the first and the last kept tick. */
    constructor(page) {
        this.page = page;
    }

    keep(picture) {
        const {hello, ticksPerSecond} = this.page;
        this.kept = this.kept.at(-1)?.tick < picture.tick ? this.kept : []; // keeps no picture of another timeline
        this.kept.push(picture);
        const oldest = picture.tick - hello.historySeconds * ticksPerSecond;
        while (this.kept[0]?.tick < oldest || this.kept.length * (picture.generation.length + OF_A_PICTURE) > MAX_KEPT_BODIES) {
            this.kept.shift();
        }
    }

    /** Ends fetching: only the pictures that the page already has remain. */
    close() {
        const [from, to] = [0, -1].map(index => this.kept.at(index)?.tick ?? 0);
        Object.assign(this.page.state, {historyFrom: from, historyTo: to});
        const ticks = new Map(this.kept.map(picture => [picture.tick, picture]));
        for (let tick = from; tick <= to; tick++) {
            ticks.set(tick, ticks.get(tick) ?? this.pictures.get(tick) ?? null);
        }
        this.pictures = ticks;
        this.moveTo(this.position); // the position may be in the past that only the server had
    }

    moveTo(position) {
        const {historyFrom, historyTo} = this.page.state;
        this.position = Math.min(historyTo, Math.max(historyFrom, position));
    }

    /** Plays for a time. Waits for pictures that have not arrived. Returns whether it has reached the newest one. */
    play(elapsedMillis) {
        if (this.speed === 0 || this.pair() === null) {
            return false;
        }
        const wanted = this.position + this.speed * Math.min(elapsedMillis, 100) / 1000;
        this.moveTo(wanted);
        if (this.position > wanted) {
            this.speed = 0; // at the oldest picture
        }
        return this.position < wanted;
    }

    /** The pictures around the position, and the position between them. Null while they are fetched. */
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

    /** The first picture at or after a tick that the server has; undefined if that is not known yet. */
    near(tick, direction) {
        let next = tick;
        while (this.pictures.get(next) === null) {
            next += direction;
        }
        return this.pictures.get(next);
    }

    /** Requests unknown pictures, if no answer is pending. */
    fetchAround(tick) {
        const {historyFrom, historyTo} = this.page.state;
        const isForwards = this.speed >= 0;
        const wanted = OFFSETS.map(offset => isForwards ? tick + offset : tick + 1 - offset)
            .find(one => one >= historyFrom && one <= historyTo && !this.pictures.has(one));
        if (wanted !== undefined && performance.now() - this.askedMillis > PATIENCE_MILLIS) {
            const from = Math.max(historyFrom, isForwards && wanted >= tick ? wanted : wanted - CHUNK + 1);
            this.askedMillis = performance.now();
            this.page.send({type: "history", from, count: Math.min(CHUNK, historyTo - from + 1)});
        }
    }

    /** Ends a request: the server does not have the ticks that are missing in the complete answer. */
    end({from, count}) {
        this.askedMillis = -Infinity;
        for (let tick = from; tick < from + count; tick++) {
            this.pictures.set(tick, this.pictures.get(tick) ?? null);
        }
        if (this.pictures.size > MAX_PICTURES) {
            this.pictures = new Map([...this.pictures].filter(([tick]) => Math.abs(tick - this.position) < MAX_PICTURES / 3));
        }
    }
}
