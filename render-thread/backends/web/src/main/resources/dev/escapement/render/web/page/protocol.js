/*
 * Reads pictures: the poses of a tick, sent as differences from the previous picture. A picture is a copy and does not change. Positions
 * are millimetres from its origin; pieces of the timeline are {nanos, simNanos, slope}.
 */
import {Vector3} from "three";

export const METRES_PER_UNIT = 0.001;
const ROTATION_STEP = Math.SQRT1_2 / 511;
const BLOCK_BYTES = 132;

/** All bodies as of the last picture. */
class BodyState {
    slots = 0;
    generation = new Uint32Array(256);
    units = new Int32Array(3 * 256);
    rotation = new Float32Array(4 * 256);
    bodies = []; // slot -> {userLow, userHigh, sinceTick, movedTick, snappedTick}

    come(slot, generation, userLow, userHigh, sinceTick) {
        if (slot >= this.generation.length) {
            for (const [name, perSlot] of Object.entries({generation: 1, units: 3, rotation: 4})) {
                const shorter = this[name];
                this[name] = new shorter.constructor(perSlot * 2 * (slot + 1));
                this[name].set(shorter);
            }
        }
        this.slots = Math.max(this.slots, slot + 1);
        this.generation[slot] = generation;
        this.bodies[slot] = {userLow, userHigh, sinceTick, movedTick: sinceTick, snappedTick: -Infinity};
    }

    place(slot, x, y, z, packed, tick) {
        this.units[3 * slot] = x;
        this.units[3 * slot + 1] = y;
        this.units[3 * slot + 2] = z;
        unpackRotation(packed, this.rotation, 4 * slot);
        this.bodies[slot].movedTick = tick;
    }
}

/** Unpacks a rotation from its smallest three components. */
function unpackRotation(packed, into, at) {
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

/** Reads the pictures of one connection. */
export class Decoder {
    live = new BodyState();
    past = new BodyState();

    constructor(tickNanos) {
        this.tickNanos = tickNanos;
    }

    decode(buffer, arrivedNanos) {
        const view = new DataView(buffer);
        let at = 4;
        const u32 = () => view.getUint32((at += 4) - 4, true);
        const f64 = () => view.getFloat64((at += 8) - 8, true);
        const f32 = () => view.getFloat32((at += 4) - 4, true);
        const list = read => Array.from({length: u32()}, () => read());
        const isLive = view.getUint8(0) === 1;
        const isComplete = view.getUint8(1) === 1;
        const state = isLive ? this.live : this.past;
        if (isComplete) {
            state.generation.fill(0);
        }
        const picture = {
            isLive, arrivedNanos, sequence: u32(), tick: f64(), dueNanos: f64(), publishedNanos: f64(), sentNanos: f64(),
            origin: new Vector3(f64(), f64(), f64()), pieces: list(() => ({nanos: f64(), simNanos: f64(), slope: f64()})),
        };
        const {tick} = picture;
        list(() => state.generation[u32()] = 0);
        list(() => state.come(u32(), u32(), u32(), u32(), isComplete ? -tick : tick)); // negative: the body came at that tick or before
        const snapped = list(u32);
        snapped.forEach(slot => state.bodies[slot].snappedTick = tick);
        const quarantined = list(u32);
        const riders = new Map(list(() => [u32(), u32()])); // slot -> slot of the parent
        const centres = new Map(list(() => [u32(), new Vector3(f32(), f32(), f32())])); // slot -> offset from the position, if not zero
        const spins = new Map(list(() => [u32(), new Vector3(f32(), f32(), f32())])); // slot -> rotation vector of a fast spin
        list(() => state.place(u32(), u32() | 0, u32() | 0, u32() | 0, u32(), tick));
        readMoved(view, at, state, tick);
        return {
            ...picture, simNanos: tick * this.tickNanos, snapped: new Set(snapped), quarantined: new Set(quarantined),
            riders, centres, spins, generation: state.generation.slice(0, state.slots), units: state.units.slice(0, 3 * state.slots),
            rotation: state.rotation.slice(0, 4 * state.slots),
        };
    }
}

function readMoved(view, start, state, tick) {
    const {units} = state;
    const masks = start + 4;
    const end = masks + BLOCK_BYTES * view.getUint32(start, true);
    let at = end;
    for (let head = masks; head < end; head += BLOCK_BYTES) {
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
