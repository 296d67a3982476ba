/* Draws all bodies: one instanced mesh for each kind of geometry, whose matrices are written straight into its array each frame. */
import * as THREE from "three";
import {QUARANTINED, SNAPPED, lengthen} from "./protocol.js";

const FLASH_SECONDS = 0.5;
const REST_SECONDS = 0.1;
const FASTEST = 10; // metres per second, the end of the ramp of colours
const RAMP = 32;

const STATES = [
    ["awake", "#3f88c5"], ["at rest", "#8d99a6"], ["kinematic", "#8f6bb3"], ["quarantined", "#d64545"], ["teleported", "#f2c230"],
    ["selected", "#f28c28"],
];
const [AWAKE, AT_REST, KINEMATIC, IN_QUARANTINE, TELEPORTED, SELECTED] = STATES.keys();

/** The entries of the legend: text and colour. */
export function legend(bySpeed) {
    return bySpeed ? [0, 2.5, 5, 7.5, 10].map(speed => [speed + (speed === FASTEST ? " m/s or more" : ""), rampColour(speed / FASTEST)]) : STATES;
}

function rampColour(part) {
    return `hsl(${Math.round(225 - 205 * part)}, 70%, ${Math.round(48 + 8 * part)}%)`;
}

function floats(colours) {
    return new Float32Array(colours.flatMap(colour => new THREE.Color(colour).toArray()));
}

const stateColours = floats(STATES.map(state => state[1]));
const speedColours = floats(Array.from({length: RAMP}, (_, i) => rampColour(i / (RAMP - 1))));

const KIND_ARRAYS = {matrices: [Float32Array, 16], colours: [Float32Array, 3], slots: [Int32Array, 1]};
const BODY_ARRAYS = {formOf: [Uint16Array, 1], generation: [Uint32Array, 1], kinematic: [Uint8Array, 1], instance: [Int32Array, 1]};

/** Instances of one geometry. */
class Kind {

    constructor(scene, geometry) {
        this.scene = scene;
        this.geometry = geometry;
        this.material = new THREE.MeshLambertMaterial({polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
        this.count = 0;
        this.capacity = 0;
    }

    grow() {
        this.remove();
        lengthen(this, KIND_ARRAYS, Math.max(64, 2 * this.capacity));
        this.mesh = new THREE.InstancedMesh(this.geometry, this.material, 0);
        this.mesh.instanceMatrix = new THREE.InstancedBufferAttribute(this.matrices, 16).setUsage(THREE.DynamicDrawUsage);
        this.mesh.instanceColor = new THREE.InstancedBufferAttribute(this.colours, 3).setUsage(THREE.DynamicDrawUsage);
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = this.mesh.receiveShadow = true;
        this.mesh.kind = this;
        this.scene.add(this.mesh);
    }

    remove() {
        if (this.mesh) {
            this.scene.remove(this.mesh);
            this.mesh.dispose();
        }
    }

    show() {
        if (this.mesh) {
            this.mesh.count = this.count;
            this.mesh.visible = this.count > 0;
            this.mesh.instanceMatrix.needsUpdate = true;
            this.mesh.instanceColor.needsUpdate = true;
        }
    }
}

export class Bodies {

    constructor(scene) {
        this.scene = scene;
        this.bySpeed = false;
        this.selected = -1;
        lengthen(this, BODY_ARRAYS, 256);
        this.kinds = [new Kind(scene, new THREE.BoxGeometry()), new Kind(scene, new THREE.SphereGeometry(1, 16, 12))];
        this.clear();
    }

    /** Forgets all forms: for a new connection. */
    clear() {
        for (const kind of this.kinds.splice(2)) {
            kind.remove();
            kind.geometry.dispose();
        }
        this.forms = new Map(); // id of a form -> index in scaled
        this.scaled = [{kind: this.kinds[0], scale: [1, 1, 1]}]; // the first one is for bodies of unknown form
        this.count = 0;
        this.generation.fill(0);
    }

    reserve(slots) {
        if (slots > this.capacity) {
            lengthen(this, BODY_ARRAYS, Math.max(slots, 2 * this.capacity));
        }
    }

    shapes(message) {
        for (const form of message.forms) {
            this.forms.set(form.id, this.scaled.push(this.form(form)) - 1);
        }
        for (const [slot, generation, form, kinematic] of message.bodies) {
            this.reserve(slot + 1);
            this.formOf[slot] = this.forms.get(form) ?? 0;
            this.generation[slot] = generation;
            this.kinematic[slot] = kinematic;
        }
    }

    form(form) {
        if (form.form === "box") {
            return {kind: this.kinds[0], scale: form.half.map(half => 2 * half)};
        }
        if (form.form === "sphere") {
            return {kind: this.kinds[1], scale: [form.radius, form.radius, form.radius]};
        }
        let geometry = new THREE.BufferGeometry();
        if (form.form === "capsule") {
            geometry = new THREE.CapsuleGeometry(form.radius, 2 * form.halfHeight, 6, 12);
        } else {
            geometry.setAttribute("position", new THREE.Float32BufferAttribute(form.corners, 3));
            geometry.computeVertexNormals();
        }
        const kind = new Kind(this.scene, geometry);
        this.kinds.push(kind);
        return {kind, scale: [1, 1, 1]};
    }

    /**
     * Draws the bodies between two pictures. One whose motion is broken in the later picture is drawn as in the earlier one. `state` knows
     * when bodies moved last; without it those are at rest that are the same in both pictures.
     */
    draw(a, b, alpha, origin, ticksPerSecond, state) {
        for (const kind of this.kinds) {
            kind.count = 0;
        }
        this.reserve(a.slots);
        this.count = 0;
        const offsetX = a.origin[0] - origin[0], offsetY = a.origin[1] - origin[1], offsetZ = a.origin[2] - origin[2];
        const shiftX = b.origin[0] - a.origin[0], shiftY = b.origin[1] - a.origin[1], shiftZ = b.origin[2] - a.origin[2];
        const perSecond = a === b ? 0 : 1e9 / (b.simNanos - a.simNanos);
        for (let slot = 0; slot < a.slots; slot++) {
            const generation = a.generation[slot];
            if (generation === 0) {
                continue;
            }
            const goesOn = slot < b.slots && b.generation[slot] === generation && (b.flags[slot] & SNAPPED) === 0;
            const form = this.scaled[this.generation[slot] === generation ? this.formOf[slot] : 0];
            const kind = form.kind;
            if (kind.count === kind.capacity) {
                kind.grow();
            }
            const index = kind.count++;
            this.count++;
            kind.slots[index] = slot;
            this.instance[slot] = index;
            const p = 3 * slot;
            let x = a.position[p], y = a.position[p + 1], z = a.position[p + 2];
            let moved = false;
            let speed = 0;
            if (goesOn && a !== b) {
                const dx = b.position[p] + shiftX - x, dy = b.position[p + 1] + shiftY - y, dz = b.position[p + 2] + shiftZ - z;
                moved = dx !== 0 || dy !== 0 || dz !== 0;
                speed = moved && this.bySpeed ? Math.sqrt(dx * dx + dy * dy + dz * dz) * perSecond : 0;
                x += alpha * dx;
                y += alpha * dy;
                z += alpha * dz;
            }
            writeMatrix(kind.matrices, 16 * index, x + offsetX, y + offsetY, z + offsetZ, a.rotation, goesOn ? b.rotation : a.rotation, 4 * slot,
                alpha, form.scale);
            let colours = stateColours;
            let colour = this.bySpeed ? Math.min(RAMP - 1, Math.floor(speed / FASTEST * RAMP)) : AWAKE;
            if (slot === this.selected) {
                colour = SELECTED;
            } else if (this.bySpeed) {
                colours = speedColours;
            } else if ((a.flags[slot] & QUARANTINED) !== 0) {
                colour = IN_QUARANTINE;
            } else if (state !== null && a.tick - state.snappedTick[slot] < FLASH_SECONDS * ticksPerSecond) {
                colour = TELEPORTED;
            } else if (this.kinematic[slot] !== 0 && this.generation[slot] === generation) {
                colour = KINEMATIC;
            } else if (state === null ? !moved : a.tick - state.movedTick[slot] > REST_SECONDS * ticksPerSecond) {
                colour = AT_REST;
            }
            kind.colours[3 * index] = colours[3 * colour];
            kind.colours[3 * index + 1] = colours[3 * colour + 1];
            kind.colours[3 * index + 2] = colours[3 * colour + 2];
        }
        for (const kind of this.kinds) {
            kind.show();
        }
    }

    /** Where a body is drawn, relative to the scene's origin; null if it is not. */
    position(slot, into = new THREE.Vector3()) {
        for (const kind of this.kinds) {
            const index = this.instance[slot];
            if (index < kind.count && kind.slots[index] === slot) {
                return into.fromArray(kind.matrices, 16 * index + 12);
            }
        }
        return null;
    }

    /** The body that a ray hits first, as {slot, point}; null if there is none. */
    pick(raycaster) {
        const meshes = this.kinds.filter(kind => kind.count > 0).map(kind => kind.mesh);
        meshes.forEach(mesh => mesh.boundingSphere = null); // made for where the instances were
        const hit = raycaster.intersectObjects(meshes, false)[0];
        return hit ? {slot: hit.object.kind.slots[hit.instanceId], point: hit.point} : null;
    }
}

/** Blends two rotations towards the nearer sign, on the great circle if they are far apart, and writes position, rotation and scale. */
function writeMatrix(m, at, x, y, z, from, to, q, alpha, scale) {
    let qx = from[q], qy = from[q + 1], qz = from[q + 2], qw = from[q + 3];
    const dot = qx * to[q] + qy * to[q + 1] + qz * to[q + 2] + qw * to[q + 3];
    let first = 1 - alpha;
    let second = dot < 0 ? -alpha : alpha;
    const nearness = Math.abs(dot);
    if (nearness < 0.95) {
        const angle = Math.acos(nearness);
        first = Math.sin(first * angle);
        second = Math.sign(second) * Math.sin(alpha * angle);
    }
    qx = first * qx + second * to[q];
    qy = first * qy + second * to[q + 1];
    qz = first * qz + second * to[q + 2];
    qw = first * qw + second * to[q + 3];
    const two = 2 / (qx * qx + qy * qy + qz * qz + qw * qw); // 2 / length^2: the matrix of a rotation that is not normalized
    const sx = scale[0], sy = scale[1], sz = scale[2];
    m[at] = (1 - two * (qy * qy + qz * qz)) * sx;
    m[at + 1] = two * (qx * qy + qz * qw) * sx;
    m[at + 2] = two * (qx * qz - qy * qw) * sx;
    m[at + 3] = 0;
    m[at + 4] = two * (qx * qy - qz * qw) * sy;
    m[at + 5] = (1 - two * (qx * qx + qz * qz)) * sy;
    m[at + 6] = two * (qy * qz + qx * qw) * sy;
    m[at + 7] = 0;
    m[at + 8] = two * (qx * qz + qy * qw) * sz;
    m[at + 9] = two * (qy * qz - qx * qw) * sz;
    m[at + 10] = (1 - two * (qx * qx + qy * qy)) * sz;
    m[at + 11] = 0;
    m[at + 12] = x;
    m[at + 13] = y;
    m[at + 14] = z;
    m[at + 15] = 1;
}
