/*
 * Reads pictures: what the server sends of the poses of a tick, as differences to the picture sent before. A BodyState holds what was sent
 * so far; a picture is a copy of it that does not change. Its pieces of the timeline are start, simulated time at the start, and slope.
 */

export const SNAPPED = 1; // it jumped: not blended from the picture before
export const QUARANTINED = 2;

const MOST_SNAPS = 5000;
const ROTATION_STEP = Math.SQRT1_2 / 511;

/** Replaces typed arrays of an object by longer ones with the same contents; `arrays` says the type and the elements for each slot. */
export function lengthen(object, arrays, slots) {
    for (const [name, [type, each]] of Object.entries(arrays)) {
        const old = object[name];
        object[name] = new type(each * slots);
        if (old) {
            object[name].set(old);
        }
    }
    object.capacity = slots;
}

const PICTURE_ARRAYS = {position: [Float32Array, 3], rotation: [Float32Array, 4], generation: [Uint32Array, 1], flags: [Uint8Array, 1]};
const STATE_ARRAYS = {...PICTURE_ARRAYS, units: [Int32Array, 3], packed: [Uint32Array, 1], userLow: [Uint32Array, 1], userHigh: [Uint32Array, 1],
    sinceTick: [Float64Array, 1], movedTick: [Float64Array, 1], snappedTick: [Float64Array, 1]};

/** What is known of all bodies after the last picture. Positions are metres from the picture's origin. */
class BodyState {

    constructor() {
        this.slots = 0;
        lengthen(this, STATE_ARRAYS, 256);
    }

    reserve(slots) {
        if (slots > this.capacity) {
            lengthen(this, STATE_ARRAYS, Math.max(slots, 2 * this.capacity));
        }
        this.slots = Math.max(this.slots, slots);
    }

    forgetAll() {
        this.generation.fill(0);
        this.slots = 0;
    }

    place(slot, x, y, z, packed, tick) {
        const units = this.units;
        const at = 3 * slot;
        if (units[at] !== x || units[at + 1] !== y || units[at + 2] !== z || this.packed[slot] !== packed) {
            this.movedTick[slot] = tick;
        }
        units[at] = x;
        units[at + 1] = y;
        units[at + 2] = z;
        this.position[at] = x * this.quantum;
        this.position[at + 1] = y * this.quantum;
        this.position[at + 2] = z * this.quantum;
        if (this.packed[slot] !== packed) {
            this.packed[slot] = packed;
            unpackRotation(packed, this.rotation, 4 * slot);
        }
    }
}

/** Writes a rotation that was packed as its smallest three components. */
export function unpackRotation(packed, into, at) {
    const largest = packed >>> 30;
    let shift = 20;
    let rest = 1;
    for (let component = 0; component < 4; component++) {
        if (component !== largest) {
            const value = (((packed >>> shift) & 1023) - 512) * ROTATION_STEP;
            into[at + component] = value;
            rest -= value * value;
            shift -= 10;
        }
    }
    into[at + largest] = Math.sqrt(Math.max(0, rest));
}

/** Whether a body is in the picture. */
export const has = (picture, slot) => slot < picture.slots && picture.generation[slot] !== 0;

/** Reads the pictures of one connection. `rate` is ticks per second as a fraction. */
export class Decoder {

    constructor(rate) {
        this.rate = rate;
        this.live = new BodyState();
        this.past = new BodyState();
        this.snaps = []; // of live pictures, because the server's history does not keep them
        this.liveTick = 0;
    }

    decode(buffer, arrivedNanos) {
        const view = new DataView(buffer);
        const isLive = view.getUint8(0) === 1;
        const state = isLive ? this.live : this.past;
        const complete = view.getUint8(1) === 1;
        if (complete) {
            state.forgetAll();
        }
        const tick = view.getFloat64(8, true);
        state.quantum = view.getFloat32(64, true);
        const reader = {view, at: 68};
        const picture = {
            isLive, sequence: view.getUint32(4, true), tick, simNanos: tick * 1e9 * this.rate[1] / this.rate[0], arrivedNanos,
            publishedNanos: view.getFloat64(24, true), sentNanos: view.getFloat64(32, true),
            origin: [view.getFloat64(40, true), view.getFloat64(48, true), view.getFloat64(56, true)],
            pieceCount: u32(reader),
        };
        picture.pieces = Float64Array.from({length: 3 * picture.pieceCount}, (_, i) => view.getFloat64(72 + 8 * i, true));
        reader.at += picture.pieces.byteLength;
        const snapped = readLists(reader, state, tick, complete);
        if (isLive) {
            this.snaps.push(...snapped.map(slot => ({after: this.liveTick, tick, slot})));
            this.snaps.splice(0, Math.max(0, this.snaps.length - MOST_SNAPS));
            this.liveTick = tick;
        } else {
            this.snaps.filter(snap => snap.after < tick && tick <= snap.tick).forEach(snap => state.flags[snap.slot] |= SNAPPED);
        }
        for (let left = u32(reader); left > 0; left--) {
            const slot = u32(reader);
            state.reserve(slot + 1);
            state.place(slot, u32(reader) | 0, u32(reader) | 0, u32(reader) | 0, u32(reader), tick);
        }
        readMoved(reader, state, tick);
        picture.slots = state.slots;
        for (const [name, [, each]] of Object.entries(PICTURE_ARRAYS)) {
            picture[name] = state[name].slice(0, each * state.slots);
        }
        return picture;
    }
}

function u32(reader) {
    reader.at += 4;
    return reader.view.getUint32(reader.at - 4, true);
}

/** Reads what came, went, jumped and is quarantined. Returns the slots of those that jumped. */
function readLists(reader, state, tick, complete) {
    state.flags.fill(0);
    for (let left = u32(reader); left > 0; left--) {
        state.generation[u32(reader)] = 0;
    }
    for (let left = u32(reader); left > 0; left--) {
        const slot = u32(reader);
        state.reserve(slot + 1);
        state.generation[slot] = u32(reader);
        state.userLow[slot] = u32(reader);
        state.userHigh[slot] = u32(reader);
        state.sinceTick[slot] = complete ? -tick : tick; // negative: it came at that tick or before
        state.snappedTick[slot] = -Infinity;
    }
    const snapped = Array.from({length: u32(reader)}, () => u32(reader));
    for (const slot of snapped) {
        state.flags[slot] |= SNAPPED;
        state.snappedTick[slot] = tick;
    }
    for (let left = u32(reader); left > 0; left--) {
        state.flags[u32(reader)] |= QUARANTINED;
    }
    return snapped;
}

function readMoved(reader, state, tick) {
    const {view} = reader;
    const {units} = state;
    const blocks = u32(reader);
    const masks = reader.at;
    let at = masks + 132 * blocks;
    for (let head = masks; head < masks + 132 * blocks; head += 132) {
        const first = 1024 * view.getUint32(head, true);
        for (let word = 0; word < 32; word++) {
            for (let bits = view.getUint32(head + 4 + 4 * word, true); bits !== 0; bits &= bits - 1) {
                const slot = first + 32 * word + 31 - Math.clz32(bits & -bits);
                state.place(slot, units[3 * slot] + view.getInt16(at, true), units[3 * slot + 1] + view.getInt16(at + 2, true),
                    units[3 * slot + 2] + view.getInt16(at + 4, true), view.getUint32(at + 6, true), tick);
                at += 10;
            }
        }
    }
}
