/* Draws all bodies: one instanced mesh for each kind of geometry. */
import * as THREE from "three";
import {METRES_PER_UNIT} from "./protocol.js";

const FLASH_SECONDS = 0.5;
const REST_SECONDS = 0.1;
const FASTEST = 10; // metres per second; faster bodies have the last colour
const MIN_INSTANCES = 64;
const MAX_SHAPES = 32; // the former shapes of a slot that are kept for pictures of the past
const MAX_DROPPED = 300; // the forms without a living body that are kept for pictures of the past

const REST_PART = 0.65;
const ALL_REST_PART = 0.25; // how pale resting bodies are if none is awake, because paleness then distinguishes nothing
const FADE = 0.05; // the part by which each frame reduces the difference between restPart and its target

// The palette of bodies: each body keeps one colour for its life. The colours differ from those of the states.
const PALETTE = ["#3f88c5", "#2a9d8f", "#8f6bb3", "#7fb069", "#5b6fc4", "#c77dab", "#57b8d9", "#a98467"]
    .map(colour => new THREE.Color(colour));
const STATES = {"kinematic": "#7d8790", "quarantined": "#d64545", "teleported": "#f2c230", "selected": "#f28c28"};
const COLOURS = Object.fromEntries(Object.entries(STATES).map(([state, colour]) => [state, new THREE.Color(colour)]));

function speedColour(speed, into) {
    const part = Math.min(1, speed / FASTEST);
    return into.setHSL((225 - 205 * part) / 360, 0.7, 0.48 + 0.08 * part, THREE.SRGBColorSpace);
}

const stripes = colours => `linear-gradient(90deg, ${colours.map(colour => colour.getStyle()).join()})`;

class Pose {
    at = new THREE.Vector3();
    turn = new THREE.Quaternion();

    /** Takes the pose of a body in a picture, measured from an origin. */
    take({units, rotation, origin}, slot, from) {
        this.at.fromArray(units, 3 * slot).multiplyScalar(METRES_PER_UNIT).add(origin).sub(from);
        this.turn.fromArray(rotation, 4 * slot);
        return this;
    }

    turnBy(spin, part) {
        this.turn.premultiply(new THREE.Quaternion().setFromAxisAngle(spin.clone().normalize(), spin.length() * part));
    }

    /** Moves by an offset in the frame of a rotation. */
    moveBy(offset, rotation, part) {
        this.at.addScaledVector(offset.clone().applyQuaternion(rotation), part);
    }

    /** Transforms the pose from the world into the frame of a parent. */
    enter(parent) {
        const back = parent.turn.clone().invert();
        this.at.sub(parent.at).applyQuaternion(back);
        this.turn.premultiply(back);
    }

    leave(parent) {
        this.at.applyQuaternion(parent.turn).add(parent.at);
        this.turn.premultiply(parent.turn);
    }
}

/** Whether a body is in both pictures. */
function stays({a, b}, slot) {
    return a !== b && a.generation[slot] !== 0 && b.generation[slot] === a.generation[slot];
}

/** Whether the motion of a body from one picture to the next is known. */
function goesOn(moment, slot) {
    return stays(moment, slot) && !moment.b.snapped.has(slot);
}

/** Whether a body stays, and has another pose in the next picture. */
function moves(moment, slot, origin) {
    const from = new Pose().take(moment.a, slot, origin);
    const to = new Pose().take(moment.b, slot, origin);
    return stays(moment, slot) && !(from.at.equals(to.at) && from.turn.equals(to.turn));
}

/** Whether a body, or one of its parents, teleported. */
function isJumping({b}, slot) {
    return slot !== undefined && (b.snapped.has(slot) || isJumping({b}, b.riders.get(slot)));
}

const next = new Pose();

/**
 * Blends a body between two pictures, by the rules of BlockBlender in Java. A child moves in the frame of its parent, unless the parent
 * teleports without it; another body moves about its centre of mass. Returns how far the body moves in the world, in metres.
 */
function blend(moment, slot, origin, pose) {
    const {a, b, alpha} = moment;
    pose.take(a, slot, origin);
    if (!goesOn(moment, slot)) {
        return 0;
    }
    const way = next.take(b, slot, origin).at.distanceTo(pose.at);
    const parent = b.riders.get(slot);
    let rides = parent !== undefined && moves(moment, parent, origin) && moves(moment, slot, origin);
    const spin = b.spins.get(slot);
    if (rides) {
        pose.enter(new Pose().take(a, parent, origin));
        next.enter(new Pose().take(b, parent, origin));
        if (isJumping(moment, parent) && next.at.distanceTo(pose.at) > way) {
            rides = false;
            pose.take(a, slot, origin);
            next.take(b, slot, origin);
        }
    }
    pose.at.lerp(next.at, alpha);
    pose.turn.slerp(next.turn, alpha);
    if (rides) {
        const parentPose = new Pose();
        blend(moment, parent, origin, parentPose);
        pose.leave(parentPose);
    }
    if (spin) { // the spin is around an axis of the world; slerp adds the small remaining rotation
        pose.turn.fromArray(a.rotation, 4 * slot);
        next.turn.fromArray(b.rotation, 4 * slot);
        next.turnBy(spin, a.tick - b.tick);
        pose.turn.slerp(next.turn, alpha);
        pose.turnBy(spin, alpha * (b.tick - a.tick));
    }
    const centre = b.centres.get(slot);
    if (centre && !rides) {
        pose.moveBy(centre, next.turn.fromArray(a.rotation, 4 * slot), 1 - alpha);
        pose.moveBy(centre, next.turn.fromArray(b.rotation, 4 * slot), alpha);
        pose.moveBy(centre, pose.turn, -1);
    }
    return way;
}

export class Bodies {
    bySpeed = false;
    states = new Set(); // the states that occur in the drawn bodies
    pale = new THREE.Color(); // the colour that is mixed into the colours of resting bodies
    restPart = REST_PART;
    selected = -1;
    selectedSpeed = 0; // metres per second
    kinds = []; // {mesh, slots} for each geometry; slots are those of the bodies that the mesh draws
    material = new THREE.MeshLambertMaterial({polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});

    constructor(scene) {
        this.scene = scene;
        this.clear();
    }

    /** The entries of the legend, text and colour. It has only states that occur. */
    legend() {
        const name = speed => speed + (speed === FASTEST ? " m/s or more" : "");
        const pales = PALETTE.map(own => own.clone().lerp(this.pale, this.restPart));
        const entries = {"awake": stripes(PALETTE), "at rest": stripes(pales), ...STATES};
        const texts = {"awake": "awake: a colour each", "at rest": this.states.has("awake") ? "at rest: the same, pale" : "at rest: a colour each"};
        return this.bySpeed ? [0, 2.5, 5, 7.5, 10].map(speed => [name(speed), speedColour(speed, new THREE.Color()).getStyle()])
            : Object.entries(entries).filter(([state]) => this.states.has(state)).map(([state, style]) => [texts[state] ?? state, style]);
    }

    get count() {
        return this.kinds.reduce((sum, kind) => sum + kind.slots.length, 0);
    }

    clear() {
        for (const {mesh} of this.kinds.splice(0)) {
            mesh.removeFromParent();
            mesh.dispose();
            mesh.geometry.dispose();
        }
        this.box = this.addKind(new THREE.BoxGeometry(2, 2, 2));
        this.sphere = this.addKind(new THREE.SphereGeometry(1, 16, 12));
        this.unknown = {kind: this.box, scale: new THREE.Vector3(0.5, 0.5, 0.5)};
        this.forms = new Map(); // id of a form -> {kind, scale}
        this.dropped = []; // {form, tick} of each form that no body has had since that tick, until the past is younger
        this.shapes = []; // slot -> [{generation, tick, form, kinematic}], the newest first; tick: of the reshape, or 0
    }

    addKind(geometry) {
        geometry.computeBoundingBox();
        const kind = {mesh: this.newMesh(geometry, MIN_INSTANCES), slots: []};
        this.kinds.push(kind);
        return kind;
    }

    newMesh(geometry, instances) {
        const mesh = new THREE.InstancedMesh(geometry, this.material, instances);
        mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * instances), 3).setUsage(THREE.DynamicDrawUsage);
        mesh.count = 0;
        mesh.frustumCulled = false;
        mesh.castShadow = mesh.receiveShadow = true;
        this.scene.add(mesh);
        return mesh;
    }

    grow(kind) {
        const {mesh} = kind;
        kind.mesh = this.newMesh(mesh.geometry, 2 * kind.slots.length);
        kind.mesh.instanceMatrix.array.set(mesh.instanceMatrix.array);
        kind.mesh.instanceColor.array.set(mesh.instanceColor.array);
        mesh.removeFromParent();
        mesh.dispose();
    }

    /** Adds what a message has. `tick` is that of the newest picture, and the past has `history` ticks before it. */
    addShapes({forms, bodies, dropped}, tick, history) {
        forms.forEach(form => this.forms.set(form.id, this.form(form)));
        for (const [slot, generation, reshapedTick, kinematic, form] of bodies) {
            const known = Array.isArray(form) ? this.sized(form) : this.forms.get(form) ?? this.unknown;
            const shape = {generation, tick: reshapedTick, kinematic, form: known};
            this.shapes[slot] = [shape, ...(this.shapes[slot] ?? []).slice(0, MAX_SHAPES)];
        }
        for (const id of dropped) {
            this.dropped.push({form: this.forms.get(id), tick});
            this.forms.delete(id);
        }
        // not in draw, because a hidden page draws nothing, but gets forms
        const excess = this.dropped.length - MAX_DROPPED;
        this.dropped = this.dropped.filter((one, index) => (index >= excess && one.tick + history >= tick) || !this.dispose(one.form));
    }

    /** The shape of a body in a picture: the last one from before it, or the first that is known; null if none is. */
    shapeOf({generation, tick}, slot) {
        let found = null;
        for (const shape of this.shapes[slot] ?? []) {
            if (shape.generation === generation[slot] && !(found?.tick <= tick)) {
                found = shape;
            }
        }
        return found;
    }

    /** A box by its three half extents, or a sphere by its radius. */
    sized([x, y, z]) {
        return y === undefined ? {kind: this.sphere, scale: new THREE.Vector3(x, x, x)} : {kind: this.box, scale: new THREE.Vector3(x, y, z)};
    }

    form({form, radius, halfHeight, corners}) {
        const geometry = form === "capsule" ? new THREE.CapsuleGeometry(radius, 2 * halfHeight, 6, 12)
            : new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
        if (form === "mesh") {
            geometry.computeVertexNormals();
        }
        return {kind: this.addKind(geometry), scale: new THREE.Vector3(1, 1, 1)};
    }

    /** Disposes of a form that the last frame did not draw; pictures of the past then show the box around it. Returns whether it did. */
    dispose(form) {
        const {mesh, slots} = form.kind;
        if (slots.length > 0) {
            return false;
        }
        this.kinds.splice(this.kinds.indexOf(form.kind), 1);
        mesh.removeFromParent();
        mesh.dispose();
        mesh.geometry.dispose();
        const {min, max} = mesh.geometry.boundingBox;
        Object.assign(form, {kind: this.box, scale: max.max(min.negate())});
        return true;
    }

    /** The box around each body of a picture, measured from the picture's origin. */
    boxes(picture) {
        const {generation, units, rotation} = picture;
        const matrix = new THREE.Matrix4();
        const at = new THREE.Vector3();
        const turn = new THREE.Quaternion();
        return [...generation.keys()].filter(slot => generation[slot] !== 0).map(slot => {
            const {kind, scale} = this.shapeOf(picture, slot)?.form ?? this.unknown;
            matrix.compose(at.fromArray(units, 3 * slot).multiplyScalar(METRES_PER_UNIT), turn.fromArray(rotation, 4 * slot), scale);
            return kind.mesh.geometry.boundingBox.clone().applyMatrix4(matrix);
        });
    }

    /**
     * Draws the bodies between two pictures. A body whose motion is broken in the current picture is drawn as in the previous one. `known`
     * has the tick in which each body moved last, by slot. Without `known`, bodies that are the same in both pictures are at rest.
     */
    draw(moment, origin, ticksPerSecond, known) {
        const {a, b} = moment;
        const pose = new Pose();
        const matrix = new THREE.Matrix4();
        const mixed = new THREE.Color();
        const stepSeconds = (b.simNanos - a.simNanos) / 1e9;
        this.kinds.forEach(kind => kind.slots = []);
        this.restPart += FADE * ((this.states.has("awake") ? REST_PART : ALL_REST_PART) - this.restPart);
        this.states.clear();
        for (let slot = 0; slot < a.generation.length; slot++) {
            const generation = a.generation[slot];
            if (generation === 0) {
                continue;
            }
            const shape = this.shapeOf(a, slot);
            const {kind, scale} = shape?.form ?? this.unknown;
            const speed = blend(moment, slot, origin, pose) / (stepSeconds || 1);
            const body = known?.[slot];
            let state = "awake";
            if (slot === this.selected) {
                state = "selected";
                this.selectedSpeed = goesOn(moment, slot) ? speed : this.selectedSpeed;
            } else if (a.quarantined.has(slot)) {
                state = "quarantined";
            } else if (body && a.tick - body.snappedTick < FLASH_SECONDS * ticksPerSecond) {
                state = "teleported";
            } else if (shape?.kinematic) {
                state = "kinematic";
            } else if (body ? a.tick - body.movedTick > REST_SECONDS * ticksPerSecond : speed === 0) {
                state = "at rest";
            }
            this.states.add(state);
            const own = PALETTE[(Math.imul(slot + generation, 0x9e3779b1) >>> 8) % PALETTE.length]; // gives neighbours different colours
            const colour = this.bySpeed && state !== "selected" ? speedColour(speed, mixed)
                : COLOURS[state] ?? (state === "awake" ? own : mixed.copy(own).lerp(this.pale, this.restPart));
            const index = kind.slots.push(slot) - 1;
            if (index === kind.mesh.instanceMatrix.count) {
                this.grow(kind);
            }
            matrix.compose(pose.at, pose.turn, scale).toArray(kind.mesh.instanceMatrix.array, 16 * index);
            colour.toArray(kind.mesh.instanceColor.array, 3 * index);
        }
        for (const {mesh, slots} of this.kinds) {
            mesh.count = slots.length;
            mesh.visible = slots.length > 0; // else the renderer would upload what nobody sees
            mesh.instanceMatrix.needsUpdate = mesh.instanceColor.needsUpdate = true;
        }
    }

    /** The middle of a body and the anchor of a joint at it, in the world, between two pictures; null if the body is gone. */
    jointEnd(moment, origin, [slot, generation, ...anchor]) {
        const at = new THREE.Vector3(...anchor);
        if (generation === 0) { // the anchor is in the world
            return [at, at];
        }
        if (moment.a.generation[slot] !== generation) {
            return null;
        }
        const pose = new Pose();
        blend(moment, slot, origin, pose);
        return [pose.at.add(origin), at.applyQuaternion(pose.turn).add(pose.at)];
    }

    /** The drawn position of a body, relative to the scene's origin; null if it is not drawn. */
    position(slot) {
        for (const {mesh, slots} of this.kinds) {
            const index = slots.indexOf(slot);
            if (index >= 0) {
                return new THREE.Vector3().fromArray(mesh.instanceMatrix.array, 16 * index + 12);
            }
        }
        return null;
    }

    /** The body that a ray hits first, as {slot, point}; undefined if there is none. */
    pick(raycaster) {
        const meshes = this.kinds.map(kind => kind.mesh);
        meshes.forEach(mesh => mesh.boundingSphere = null); // else the ray is tested against spheres around old positions
        const [hit] = raycaster.intersectObjects(meshes, false);
        return hit && {slot: this.kinds[meshes.indexOf(hit.object)].slots[hit.instanceId], point: hit.point};
    }
}
