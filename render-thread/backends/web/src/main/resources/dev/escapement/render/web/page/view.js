/* The three-dimensional view: camera, light, ground, bodies, contacts and the path of the selected body. */
import * as THREE from "three";
import {OrbitControls} from "./OrbitControls.js";
import {Bodies} from "./bodies.js";
import {has} from "./protocol.js";

const MOST_POINTS = 4096;
const CONTACT_SECONDS = 0.25;
const MOST_CONTACTS = 20000;
const CONTACT = 0xd64545;
const SELECTED = 0xf28c28;

/** Points or lines that change each frame. */
class Strokes {

    constructor(scene, type, material) {
        this.attribute = new THREE.BufferAttribute(new Float32Array(3 * MOST_POINTS), 3).setUsage(THREE.DynamicDrawUsage);
        this.object = new type(new THREE.BufferGeometry().setAttribute("position", this.attribute), material);
        this.object.frustumCulled = false;
        scene.add(this.object);
        this.show([], [0, 0, 0]);
    }

    /** Shows points [x, y, z, ...] of the world. */
    show(points, origin) {
        const count = Math.min(MOST_POINTS, points.length);
        for (let i = 0; i < 3 * count; i++) {
            this.attribute.array[i] = points[Math.floor(i / 3)][i % 3] - origin[i % 3];
        }
        this.object.geometry.setDrawRange(0, count);
        this.object.visible = count > 0;
        this.attribute.needsUpdate = true;
    }
}

function rendererName() {
    const gl = document.createElement("canvas").getContext("webgl2");
    const extension = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl?.getParameter(extension ? extension.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return String(name);
}

export class View {

    constructor(canvas, viewports) {
        this.canvas = canvas;
        this.viewports = viewports;
        this.isSoftware = /SwiftShader|llvmpipe|Basic Render/i.test(rendererName());
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: !this.isSoftware});
        this.renderer.setPixelRatio(this.isSoftware ? 1 : Math.min(2, devicePixelRatio));
        this.renderer.shadowMap.enabled = true;
        this.scene = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(50, 1, 0.1, 2000);
        this.camera.position.set(12, 9, 16);
        this.controls = new OrbitControls(this.camera, canvas);
        this.sun = new THREE.DirectionalLight(0xffffff, 2.2);
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sky = new THREE.HemisphereLight(0xffffff, 0x777777, 1.4);
        this.scene.add(this.sun, this.sun.target, this.sky);
        this.bodies = new Bodies(this.scene);
        this.origin = null;
        this.contacts = [];
        const line = colour => new THREE.LineBasicMaterial({color: colour});
        const point = colour => new THREE.PointsMaterial({color: colour, size: 4, sizeAttenuation: false});
        this.contactLines = new Strokes(this.scene, THREE.LineSegments, line(CONTACT));
        this.contactPoints = new Strokes(this.scene, THREE.Points, point(CONTACT));
        this.pathLine = new Strokes(this.scene, THREE.Line, line(SELECTED));
        this.pathPoints = new Strokes(this.scene, THREE.Points, point(SELECTED));
        this.grip = new Strokes(this.scene, THREE.Line, line(SELECTED));
        this.raycaster = new THREE.Raycaster();
        this.ground = new THREE.Mesh(new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2), new THREE.ShadowMaterial({opacity: 0.25}));
        this.ground.receiveShadow = true;
        this.scene.add(this.ground);
        this.setShadows(!this.isSoftware);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
    }

    setShadows(on) {
        this.sun.castShadow = this.ground.visible = on;
    }

    setColours(colours) {
        this.scene.background = new THREE.Color(colours.sky);
        this.line = colours.grid;
        if (this.grid) {
            this.makeGrid();
        }
    }

    resize() {
        this.width = Math.max(1, this.canvas.parentElement.clientWidth);
        this.height = Math.max(1, this.canvas.parentElement.clientHeight);
        this.renderer.setSize(this.width, this.height);
        this.camera.aspect = this.width / this.viewports / this.height;
        this.camera.updateProjectionMatrix();
    }

    /** Keeps the camera where it is in the world when the point moves that positions are measured from. */
    moveOrigin(origin) {
        if (this.origin && this.origin.every((value, axis) => value === origin[axis])) {
            return;
        }
        const before = this.origin ?? origin;
        this.origin = [...origin];
        const shift = new THREE.Vector3(before[0] - origin[0], before[1] - origin[1], before[2] - origin[2]);
        this.camera.position.add(shift);
        this.controls.target.add(shift);
        if (this.grid) {
            this.placeGrid();
        }
    }

    /** Moves the camera so that the bodies are seen, without the farthest ones. */
    fit(picture) {
        const slots = Array.from({length: picture.slots}, (_, slot) => slot).filter(slot => has(picture, slot));
        if (slots.length === 0) {
            return;
        }
        const sides = [0, 1, 2].map(axis => {
            const sorted = slots.map(slot => picture.position[3 * slot + axis]).sort((a, b) => a - b);
            return [sorted[Math.floor(0.03 * sorted.length)], sorted[Math.floor(0.97 * (sorted.length - 1))]];
        });
        this.controls.target.set(...sides.map(side => (side[0] + side[1]) / 2));
        this.radius = Math.max(2, Math.hypot(...sides.map(side => side[1] - side[0])) / 2 + 1);
        const room = this.camera.aspect < 1 ? 1 / this.camera.aspect : 0.75;
        const distance = room * this.radius / Math.sin(THREE.MathUtils.degToRad(this.camera.fov / 2));
        this.camera.position.set(0.5, 0.42, 0.76).multiplyScalar(distance).add(this.controls.target);
        this.camera.near = this.radius / 200;
        this.camera.far = this.radius * 60;
        this.camera.updateProjectionMatrix();
        this.makeGrid();
    }

    makeGrid() {
        if (this.grid) {
            this.scene.remove(this.grid);
            this.grid.dispose();
        }
        this.cell = Math.pow(10, Math.round(Math.log10(this.radius / 5)));
        this.grid = new THREE.GridHelper(40 * this.cell, 40, this.line, this.line);
        this.grid.material.depthWrite = false;
        this.scene.add(this.grid);
        this.ground.scale.setScalar(40 * this.cell);
        this.placeGrid();
        const reach = 2 * this.radius;
        Object.assign(this.sun.shadow.camera, {left: -reach, right: reach, top: reach, bottom: -reach, near: reach / 20, far: 6 * reach});
        this.sun.shadow.camera.updateProjectionMatrix();
    }

    placeGrid() {
        const world = [this.controls.target.x + this.origin[0], 0, this.controls.target.z + this.origin[2]];
        this.grid.position.set(...world.map((value, axis) => Math.round(value / this.cell) * this.cell - this.origin[axis]));
        this.ground.position.copy(this.grid.position);
    }

    addContacts(list, origin) {
        for (const [tick, , , x, y, z, nx, ny, nz] of list) {
            this.contacts.push({tick, at: [x + origin[0], y + origin[1], z + origin[2]], normal: [nx, ny, nz]});
        }
        this.contacts.splice(0, this.contacts.length > MOST_CONTACTS ? MOST_CONTACTS / 2 : 0);
    }

    /** Draws the contacts that began shortly before a tick. */
    drawContacts(tick, ticksPerSecond, wanted) {
        const first = tick - CONTACT_SECONDS * ticksPerSecond;
        const shown = wanted ? this.contacts.filter(contact => contact.tick > first && contact.tick <= tick) : [];
        const length = (this.radius ?? 1) / 12;
        this.contactPoints.show(shown.map(({at}) => at), this.origin);
        this.contactLines.show(shown.flatMap(({at, normal}) => [at, at.map((value, axis) => value + length * normal[axis])]), this.origin);
    }

    drawPath(ticks, line) {
        this.pathPoints.show(ticks, this.origin);
        this.pathLine.show(line, this.origin);
    }

    /** Draws how a body is dragged; points are those of the scene. */
    drawGrip(from, to) {
        this.grip.show(from && to ? [from.toArray(), to.toArray()] : [], [0, 0, 0]);
    }

    /** The ray through a pointer event. */
    ray(event) {
        const box = this.canvas.getBoundingClientRect();
        const width = box.width / this.viewports;
        const x = (event.clientX - box.left) % width;
        const pointer = new THREE.Vector2(2 * x / width - 1, 1 - 2 * (event.clientY - box.top) / box.height);
        this.raycaster.setFromCamera(pointer, this.camera);
        return this.raycaster;
    }

    /** Renders one of the viewports. */
    render(viewport) {
        if (viewport === 0) {
            this.controls.update();
            const reach = this.radius ?? 10;
            this.sun.target.position.copy(this.controls.target);
            this.sun.position.set(2.2 * reach, 4 * reach, 1.6 * reach).add(this.controls.target);
        }
        if (this.viewports > 1) {
            const width = this.width / this.viewports;
            this.renderer.setScissorTest(true);
            this.renderer.setViewport(viewport * width, 0, width, this.height);
            this.renderer.setScissor(viewport * width, 0, width, this.height);
        }
        this.renderer.render(this.scene, this.camera);
    }
}
