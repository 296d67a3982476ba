/* The three-dimensional view: camera, light, ground, bodies, contacts and the path of the selected body. */
import * as THREE from "three";
import {OrbitControls} from "./OrbitControls.js";
import {Bodies} from "./bodies.js";
import {colour} from "./dom.js";
import {METRES_PER_UNIT} from "./protocol.js";

const MAX_POINTS = 8192;
const CONTACT_SECONDS = 0.25;
const MAX_CONTACTS = 20000;
const MAX_JOINT_LISTS = 100;
const CONTACT = 0xd64545;
const SELECTED = 0xf28c28;
const CELLS = 40;

const AXES = ["x", "y", "z"];
const FAR_TIMES = 2; // if a body's distance along an axis is more than this times the 90th percentile, the first picture leaves it out
const LARGE_TIMES = 2; // a body larger than this many times the usual body, and than the space of all, is ground: a part is enough
const MAX_FOLLOWED = 10; // the camera leaves room for where bodies move if not more than this many move
const MARGIN = 1 / 8; // around the places where bodies moved, as a part of their space
const MAX_PIXEL_RATIO = 2;
const STEEPEST = 0.6; // radians from the horizontal: fit() does not look down more steeply
const CLICK_PART = 0.03; // of the camera's distance: a press that moves the camera by less is a click

/** The name of the renderer; undefined if there is no WebGL 2. */
export function rendererName() {
    const gl = document.createElement("canvas").getContext("webgl2");
    const extension = gl?.getExtension("WEBGL_debug_renderer_info");
    return gl?.getParameter(extension ? extension.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}

const isSoftware = () => /SwiftShader|llvmpipe|Basic Render/i.test(rendererName());

export class View {
    origin = null; // the scene's origin in the world
    radius = 10; // the radius of the visible bodies
    isFitted = false; // if false, the next frame moves the camera to where it shows all bodies
    fittedAt = new THREE.Vector3(); // the place at which fit() put the camera
    watched = null; // the last picture that watch() saw
    movers = new Set(); // the slots of bodies that have moved
    ways = new THREE.Box3(); // where they moved, within `room`
    room = new THREE.Box3(); // around all other bodies, and above them: a body that falls out of it does not move the camera
    contacts = []; // {tick, at, normal} in the world
    joints = []; // {tick, list} of each change, valid from that tick on
    jointMaterial = new THREE.LineBasicMaterial({depthTest: false, transparent: true}); // most joints are inside of bodies
    raycaster = new THREE.Raycaster();
    scene = new THREE.Scene();
    camera = new THREE.PerspectiveCamera(50, 1, 0.1, 2000);
    sun = new THREE.DirectionalLight(0xffffff, 2.2);
    grid = new THREE.GridHelper(CELLS, CELLS);
    ground = new THREE.Mesh(new THREE.PlaneGeometry(CELLS, CELLS).rotateX(-Math.PI / 2), new THREE.ShadowMaterial({opacity: 0.25}));

    constructor(canvas) {
        this.canvas = canvas;
        this.isSoftware = isSoftware();
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: !this.isSoftware});
        canvas.addEventListener("webglcontextrestored", () => this.isSoftware = isSoftware()); // the driver's crash may have cost the card
        this.renderer.shadowMap.enabled = true;
        this.camera.position.set(12, 9, 16);
        this.controls = new OrbitControls(this.camera, canvas);
        this.sun.shadow.mapSize.set(2048, 2048);
        this.grid.material = new THREE.LineBasicMaterial({depthWrite: false});
        this.ground.receiveShadow = true;
        this.scene.add(this.sun, this.sun.target, new THREE.HemisphereLight(0xffffff, 0x777777, 1.4), this.grid, this.ground);
        this.bodies = new Bodies(this.scene);
        this.contactLines = this.strokes(THREE.LineSegments, CONTACT);
        this.contactPoints = this.strokes(THREE.Points, CONTACT);
        this.jointLines = this.strokes(THREE.LineSegments, null, this.jointMaterial);
        this.pathLine = this.strokes(THREE.Line, SELECTED);
        this.pathPoints = this.strokes(THREE.Points, SELECTED);
        this.grip = this.strokes(THREE.Line, SELECTED);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
    }

    /** Adds points or lines that change each frame. Returns a function that shows points of the world. */
    strokes(type, color, material = type === THREE.Points ? new THREE.PointsMaterial({color, size: 4, sizeAttenuation: false})
        : new THREE.LineBasicMaterial({color})) {
        const points = new THREE.BufferAttribute(new Float32Array(3 * MAX_POINTS), 3).setUsage(THREE.DynamicDrawUsage);
        const geometry = new THREE.BufferGeometry().setAttribute("position", points);
        const object = new type(geometry, material);
        object.frustumCulled = false;
        this.scene.add(object);
        return shown => {
            const count = Math.min(MAX_POINTS, shown.length);
            geometry.setFromPoints(shown.slice(0, count).map(at => at.clone().sub(this.origin)));
            geometry.setDrawRange(0, count);
            object.visible = count > 0;
        };
    }

    setColours() {
        this.scene.background = new THREE.Color(colour("sky"));
        this.grid.material.color.set(colour("grid"));
        this.jointMaterial.color.set(colour("text"));
        this.bodies.pale = this.grid.material.color;
    }

    resize() {
        this.width = Math.max(1, this.canvas.parentElement.clientWidth);
        this.height = Math.max(1, this.canvas.parentElement.clientHeight);
        this.renderer.setSize(this.width, this.height);
        this.camera.aspect = this.width / this.height;
        this.camera.updateProjectionMatrix();
        this.refit();
    }

    /** Whether the browser has taken the graphics context away. Then frames draw nothing. */
    get isLost() {
        return this.renderer.getContext().isContextLost();
    }

    /** Fits the camera to the present picture, and forgets where bodies moved. */
    fitAnew() {
        this.isFitted = false;
        this.watched = null;
        this.movers.clear();
        this.ways.makeEmpty();
    }

    /** Fits the camera again, for other bodies or another screen, unless a person moved it. */
    refit() {
        const {camera, controls: {target}, fittedAt} = this;
        this.isFitted &&= camera.position.distanceTo(fittedAt) > CLICK_PART * fittedAt.distanceTo(target);
    }

    /** Keeps the camera's place in the world when the scene's origin moves. */
    moveOrigin(origin) {
        const shift = (this.origin ?? origin).clone().sub(origin);
        this.origin = origin;
        const {camera, controls, fittedAt, ways, room} = this;
        [camera.position, controls.target, fittedAt, ways.min, ways.max, room.min, room.max].forEach(at => at.add(shift));
    }

    /** Returns the box around all bodies of a picture except those that are much farther away than the others; empty if there are none. */
    surround(picture) {
        const boxes = this.bodies.boxes(picture);
        this.room.makeEmpty();
        [...picture.generation.keys()].filter(slot => picture.generation[slot] !== 0)
            .forEach((slot, index) => this.movers.has(slot) || this.room.union(boxes[index]));
        this.room.max.y += Math.max(...this.room.getSize(new THREE.Vector3()));
        const places = boxes.map(box => box.getCenter(new THREE.Vector3()));
        const sizes = boxes.map(box => box.getSize(new THREE.Vector3()).length() / 2);
        const quantile = (part, values) => values.sort((a, b) => a - b)[Math.floor(part * values.length)];
        const middle = new THREE.Vector3(...AXES.map(axis => quantile(0.5, places.map(place => place[axis]))));
        const space = quantile(0.9, places.map(place => place.distanceTo(middle)));
        const away = (place, axis) => Math.abs(place[axis] - middle[axis]);
        const far = AXES.map(axis => Math.max(space / 2, FAR_TIMES * quantile(0.9, places.map(place => away(place, axis)))));
        const largest = Math.max(space, LARGE_TIMES * quantile(0.4, [...sizes]));
        const box = new THREE.Box3();
        places.forEach((place, index) => {
            if (AXES.every((axis, number) => away(place, axis) <= far[number])) {
                box.union(sizes[index] <= largest ? boxes[index] : new THREE.Box3(place, place));
            }
        });
        return box.union(this.ways.clone().expandByVector(this.ways.getSize(new THREE.Vector3()).multiplyScalar(MARGIN)));
    }

    /** Notes where bodies have moved since the last picture, and fits the camera again if one has moved out of the view. */
    watch(picture) {
        const {generation, origin, units} = picture;
        const before = this.watched ?? picture;
        const isComparable = before !== picture && before.origin.equals(origin) && this.controls.enabled; // not while a body is dragged
        this.watched = picture;
        const at = new THREE.Vector3();
        for (let slot = 0, x = 0; isComparable && slot < generation.length; x = 3 * ++slot) {
            const stands = units[x] === before.units[x] && units[x + 1] === before.units[x + 1] && units[x + 2] === before.units[x + 2];
            if (stands || generation[slot] === 0 || generation[slot] !== before.generation[slot]) {
                continue;
            }
            this.movers.add(slot);
            at.fromArray(units, x).multiplyScalar(METRES_PER_UNIT);
            if (this.movers.size <= MAX_FOLLOWED && this.room.containsPoint(at) && !this.ways.containsPoint(at)) {
                this.ways.expandByPoint(at);
                at.project(this.camera).toArray().some(value => Math.abs(value) > 1) && this.refit();
            }
        }
    }

    /**
     * Moves the camera so that the bodies of a picture, measured from the scene's origin, and the ways of those that moved fill the view.
     * The flatter their space is, the more the camera looks from the front. Called once a frame.
     */
    fit(picture) {
        this.watch(picture);
        const box = this.isFitted ? new THREE.Box3() : this.surround(picture);
        if (box.isEmpty()) {
            return;
        }
        this.isFitted = true;
        const {x: width, y: tall, z: depth} = box.getSize(new THREE.Vector3());
        this.radius = Math.max(0.5, Math.hypot(width, tall, depth) / 2);
        const {camera, controls: {target}} = this;
        box.getCenter(target);
        const steepness = Math.min(STEEPEST, Math.atan2(Math.min(width, depth), 2 * tall));
        camera.position.setFromSphericalCoords(1, Math.PI / 2 - steepness, Math.atan2(depth, 2 * width)).add(target);
        camera.lookAt(target);
        const height = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)); // the height of half the view, at a metre's distance
        const distances = [0, 1, 2, 3, 4, 5, 6, 7].map(corner => {
            const [x, y, z] = [1, 2, 4].map((bit, axis) => (corner & bit ? box.max : box.min).getComponent(axis));
            const seen = new THREE.Vector3(x, y, z).sub(target).applyQuaternion(camera.quaternion.clone().invert());
            return seen.z + Math.max(Math.abs(seen.x) / camera.aspect, Math.abs(seen.y)) / height;
        });
        camera.position.sub(target).setLength(1.06 * Math.max(...distances)).add(target);
        this.fittedAt.copy(camera.position);
        camera.near = this.radius / 200;
        camera.far = this.radius * 60;
        camera.updateProjectionMatrix();
        const reach = 2 * this.radius;
        Object.assign(this.sun.shadow.camera, {left: -reach, right: reach, top: reach, bottom: -reach, near: reach / 20, far: 6 * reach});
        this.sun.shadow.camera.updateProjectionMatrix();
    }

    addContacts(list, origin) {
        for (const [tick, x, y, z, ...normal] of list) {
            this.contacts.push({tick, at: new THREE.Vector3(x, y, z).add(origin), normal: new THREE.Vector3(...normal)});
        }
        this.contacts.splice(0, this.contacts.length - MAX_CONTACTS);
    }

    /** Draws the contacts that began shortly before a tick. */
    drawContacts(tick, ticksPerSecond, wanted) {
        const first = tick - CONTACT_SECONDS * ticksPerSecond;
        const shown = wanted ? this.contacts.filter(contact => contact.tick > first && contact.tick <= tick) : [];
        this.contactPoints(shown.map(({at}) => at));
        this.contactLines(shown.flatMap(({at, normal}) => [at, at.clone().addScaledVector(normal, this.radius / 12)]));
    }

    addJoints({tick, list}) {
        this.joints.push({tick, list});
        this.joints.splice(0, this.joints.length - MAX_JOINT_LISTS);
    }

    /** Draws the joints at a tick: lines from the middle of one body over both anchors to the middle of the other. */
    drawJoints(moment, tick, wanted) {
        const known = this.joints.findLast(one => one.tick <= tick)?.list ?? [];
        const shown = wanted ? known.map(ends => ends.map(end => this.bodies.jointEnd(moment, this.origin, end))) : [];
        this.jointLines(shown.filter(([one, other]) => one && other)
            .flatMap(([one, other]) => [...one, one[1], other[1], ...other]));
    }

    /** Returns the ray through a pointer event. */
    ray(event) {
        const box = this.canvas.getBoundingClientRect();
        const x = 2 * (event.clientX - box.left) / box.width - 1;
        this.raycaster.setFromCamera(new THREE.Vector2(x, 1 - 2 * (event.clientY - box.top) / box.height), this.camera);
        return this.raycaster;
    }

    /** Moves light and ground to the camera's target. Called once a frame. */
    prepare(hasShadows) {
        const ratio = this.isSoftware ? 1 : Math.min(MAX_PIXEL_RATIO, devicePixelRatio);
        if (ratio !== this.renderer.getPixelRatio()) { // zoomed, or on another screen
            this.renderer.setPixelRatio(ratio);
        }
        this.sun.castShadow = this.ground.visible = hasShadows;
        this.controls.update();
        const {target} = this.controls;
        this.sun.target.position.copy(target);
        this.sun.position.set(2.2, 4, 1.6).multiplyScalar(this.radius).add(target);
        const cell = Math.pow(10, Math.round(Math.log10(this.radius / 5)));
        const near = target.clone().add(this.origin).setY(0).divideScalar(cell).round().multiplyScalar(cell);
        this.grid.position.copy(this.ground.position.copy(near.sub(this.origin)));
        this.grid.scale.setScalar(cell);
        this.ground.scale.setScalar(cell);
    }

    render() {
        this.renderer.render(this.scene, this.camera);
    }
}
