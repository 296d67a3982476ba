package dev.escapement.bench.demo;

import dev.escapement.bench.demo.Solid.Motion;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Box;
import dev.escapement.state.world.BodyShape.Capsule;
import dev.escapement.state.world.BodyShape.Sphere;
import java.util.ArrayList;
import java.util.List;
import org.joml.Vector3d;
import org.joml.Vector3dc;

/**
 * The dimensions of a {@link Machine}. The drum grows with the number of bodies, and everything else grows with the drum. Invisible walls
 * close the drum's front and back. In two dimensions everything is at z = 0, and there are no such walls.
 *
 * <p>One thread. Only the angles of the rotors change.
 */
final class MachineParts {

    /** Several parts that turn together around an axis along z. The axis is at x = 0. */
    static final class Rotor {

        final double axisY;
        private double angle;
        private double cos = 1;
        private double sin;

        private Rotor(double axisY) {
            this.axisY = axisY;
        }

        void turn(double newAngle) {
            angle = newAngle;
            cos = Sine.cosine(newAngle);
            sin = Sine.of(newAngle);
        }
    }

    /**
     * A part of the machine, positioned for its rotor's angle 0.
     *
     * @param rotor   the rotor that turns the part
     * @param x       metres from the rotor's axis
     * @param y       metres from the rotor's axis
     * @param z       metres
     * @param turn    the part's own angle about z
     * @param touches whether bodies collide with it
     */
    record Part(BodyShape.Form form, Rotor rotor, double x, double y, double z, double turn, boolean touches) {

        double worldX() {
            return x * rotor.cos - y * rotor.sin;
        }

        double worldY() {
            return rotor.axisY + x * rotor.sin + y * rotor.cos;
        }

        double worldTurn() {
            return turn + rotor.angle;
        }

        Solid solid(double friction) {
            return new Solid(form, Motion.KINEMATIC, touches, friction, 0, true, worldX(), worldY(), z, worldTurn());
        }
    }

    static final double WHEEL_PITCH = 2 * StrictMath.PI / 12;

    private static final int TEETH = 12;
    private static final int STAVES = 36;
    private static final int LIFTERS = 6;
    private static final int SPOKES = 3;

    private static final double MIN_RADIUS = 5;
    private static final double BELOW_DRUM = 1.3;
    private static final double RADIUS_PER_BODY = 1.15;
    private static final double RADIUS_PER_BODY_IN_PLANE = 0.72;
    private static final double DEPTH_PER_RADIUS = 0.55;
    private static final float HALF_WALL = 0.25f;
    private static final float HALF_LIFTER = 0.3f;
    private static final float HALF_THICKNESS_OF_SIDES = 5;

    /** The distance between neighbours in the grid in which the bodies start. Each form of body fits into it. */
    private static final double SPACING = 1;

    private static final double SPACING_UP = 1.25;
    private static final List<BodyShape.Form> FORMS =
            List.of(new Box(0.4f, 0.4f, 0.4f), new Sphere(0.45f), new Capsule(0.3f, 0.3f));
    private static final float BOB_KILOGRAMS = 500;

    /** At this distance two bodies cannot touch, whatever their rotation: it is more than the diagonal of a box. */
    static final double ROOM = 1.4;

    /** The drum's inner radius, in metres. */
    final double radius;

    /** The distance from the hinge to the middle of the bob, in metres. */
    final double pendulumLength;

    final double pivotY;

    final Rotor frame = new Rotor(0);
    final Rotor drum;
    final Rotor wheel;
    final Rotor pendulum;

    private final int bodies;
    private final double halfDepth;
    private final List<Vector3dc> places;
    private final List<Vector3dc> placesToReturn;
    private final double wheelRadius;
    private final double frontZ;
    private final List<Part> parts = new ArrayList<>();

    MachineParts(int bodies, boolean inPlane) {
        this.bodies = bodies;
        double wanted =
                inPlane ? RADIUS_PER_BODY_IN_PLANE * Math.sqrt(bodies) : RADIUS_PER_BODY * StrictMath.cbrt(bodies);
        double fits = Math.max(MIN_RADIUS, wanted);
        while (places(fits, inPlane).size() < bodies) {
            fits *= 1.05;
        }
        radius = fits;
        places = places(radius, inPlane);
        placesToReturn = places.subList(places.size() / 2, places.size());
        halfDepth = inPlane ? 0 : DEPTH_PER_RADIUS * radius / 2;
        drum = new Rotor(radius + BELOW_DRUM);
        pivotY = drum.axisY + radius + 1.5;
        pendulum = new Rotor(pivotY);
        pendulumLength = 0.85 * radius;
        wheelRadius = 0.26 * radius;
        wheel = new Rotor(pivotY - 1.5 * wheelRadius);
        frontZ = inPlane ? 0 : halfDepth + 0.9;
        float half = (float) (inPlane ? 0.5 : halfDepth);
        addDrum(half);
        addFrame(half);
        addEscapement();
    }

    private static List<Vector3dc> places(double radius, boolean inPlane) {
        int layers = inPlane ? 1 : (int) ((DEPTH_PER_RADIUS * radius - SPACING) / SPACING) + 1;
        double room = radius - 2 * HALF_LIFTER - 0.75;
        List<Vector3dc> places = new ArrayList<>();
        int rows = (int) (room / SPACING_UP);
        for (int row = -rows; row <= rows; row++) {
            double y = row * SPACING_UP;
            int columns = (int) (Math.sqrt(room * room - y * y) / SPACING);
            for (int column = -columns; column <= columns; column++) {
                for (int layer = 0; layer < layers; layer++) {
                    double z = (layer - (layers - 1) / 2.0) * SPACING;
                    places.add(new Vector3d(column * SPACING, radius + BELOW_DRUM + y, z));
                }
            }
        }
        return places;
    }

    private void addDrum(float half) {
        float halfAlong = (float) ((radius + 2 * HALF_WALL) * StrictMath.tan(Math.PI / STAVES));
        ring(drum, STAVES, 0, radius + HALF_WALL, new Box(HALF_WALL, halfAlong, half), 0, true);
        ring(drum, LIFTERS, 0, radius - HALF_LIFTER, new Box(HALF_LIFTER, 0.15f, half), 0, true);
        double z = -halfDepth - 0.2;
        for (int spoke = 0; spoke < SPOKES; spoke++) {
            double turn = Math.PI * spoke / SPOKES;
            part(drum, new Box((float) radius, 0.14f, 0.1f), 0, 0, z, turn, false);
        }
    }

    private void addFrame(float half) {
        double side = radius + 1.4;
        double back = -halfDepth - 0.7;
        double top = pivotY + 0.25;
        beam(frame, -side, 0, -side, top, 0.25f, frontZ);
        beam(frame, side, 0, side, top, 0.25f, frontZ);
        beam(frame, -side - 0.5, top, side + 0.5, top, 0.3f, frontZ);
        beam(frame, -0.7 * radius, 0, 0, drum.axisY, 0.2f, back);
        beam(frame, 0.7 * radius, 0, 0, drum.axisY, 0.2f, back);
        part(frame, new Box(0.9f, 0.15f, half + 1), -side, 0.15, 0, 0, false);
        part(frame, new Box(0.9f, 0.15f, half + 1), side, 0.15, 0, 0, false);
    }

    /**
     * Adds the escape wheel with its teeth, and the anchor with its two pallets and the pendulum's rod. All are positioned for a pendulum
     * that hangs straight down, in which a tooth stands before each pallet.
     */
    private void addEscapement() {
        float thick = (float) (0.08 * wheelRadius);
        double rim = 0.7 * wheelRadius;
        double first = Math.PI / 2 + Math.PI / 4 + 0.11;
        float tooth = (float) (0.16 * wheelRadius);
        ring(wheel, TEETH, first, wheelRadius - tooth, new Box(tooth, thick, 2 * thick), frontZ, false);
        float along = (float) (1.05 * rim * StrictMath.tan(WHEEL_PITCH / 2));
        ring(wheel, TEETH, first + WHEEL_PITCH / 2, rim, new Box(thick, along, 2 * thick), frontZ, false);
        beam(wheel, -rim, 0, rim, 0, thick, frontZ);
        beam(wheel, 0, -rim, 0, rim, thick, frontZ);
        part(wheel, new Sphere((float) (0.18 * wheelRadius)), 0, 0, frontZ, 0, false);
        double palletX = (wheelRadius + 2 * thick) * Math.sqrt(0.5);
        double palletY = wheel.axisY - pivotY + palletX;
        for (int side = -1; side <= 1; side += 2) {
            beam(pendulum, 0, 0, side * 1.25 * palletX, palletY + 0.25 * palletX, thick, frontZ);
            beam(pendulum, side * 1.25 * palletX, palletY + 0.25 * palletX, side * palletX, palletY, thick, frontZ);
        }
        beam(pendulum, 0, 0, 0, -pendulumLength, thick, bobZ());
    }

    private double bobZ() {
        return frontZ == 0 ? 0 : frontZ + 0.3 * wheelRadius;
    }

    private void ring(Rotor rotor, int count, double first, double at, Box box, double z, boolean touches) {
        for (int i = 0; i < count; i++) {
            double turn = first + 2 * Math.PI * i / count;
            part(rotor, box, at * StrictMath.cos(turn), at * StrictMath.sin(turn), z, turn, touches);
        }
    }

    private void beam(Rotor rotor, double x, double y, double toX, double toY, float halfWidth, double z) {
        Box box = new Box((float) (StrictMath.hypot(toX - x, toY - y) / 2), halfWidth, halfWidth);
        part(rotor, box, (x + toX) / 2, (y + toY) / 2, z, StrictMath.atan2(toY - y, toX - x), false);
    }

    private void part(Rotor rotor, BodyShape.Form form, double x, double y, double z, double turn, boolean touches) {
        parts.add(new Part(form, rotor, x, y, z, turn, touches));
    }

    List<Part> parts() {
        return parts;
    }

    /**
     * Returns all solids: the floor, invisible walls without friction that close the drum in front and behind, the tumbling bodies from the
     * bottom of the drum up (box, ball and capsule in turn), the pendulum's bob at its angle, and the parts.
     */
    List<Solid> solids(double friction, double bobAngle) {
        List<Solid> solids = new ArrayList<>(List.of(Scene.floor(friction)));
        float half = (float) (radius + 5);
        double wallZ = halfDepth + HALF_THICKNESS_OF_SIDES;
        Box wall = new Box(half, half, HALF_THICKNESS_OF_SIDES);
        for (int side = -1; halfDepth > 0 && side <= 1; side += 2) {
            solids.add(Solid.fixed(wall, 0, 0, drum.axisY, side * wallZ));
        }
        for (int body = 0; body < bodies; body++) {
            Vector3dc at = places.get(body);
            BodyShape.Form form = FORMS.get(body % FORMS.size());
            solids.add(Solid.dynamic(form, friction, BoxPile.MASS_KILOGRAMS, true, at.x(), at.y(), at.z()));
        }
        double x = pendulumLength * StrictMath.sin(bobAngle);
        double y = pivotY - pendulumLength * StrictMath.cos(bobAngle);
        Sphere bob = new Sphere((float) (0.1 * radius));
        solids.add(new Solid(bob, Motion.DYNAMIC, false, friction, BOB_KILOGRAMS, true, x, y, bobZ(), 0));
        parts.forEach(part -> solids.add(part.solid(friction)));
        return solids;
    }

    Vector3dc hinge() {
        return new Vector3d(0, pivotY, bobZ());
    }

    boolean isInDrum(Vector3dc at) {
        double y = at.y() - drum.axisY;
        double reach = radius + HALF_WALL;
        return at.x() * at.x() + y * y < reach * reach && Math.abs(at.z()) < halfDepth + 1;
    }

    /**
     * The positions at which bodies are put back that were thrown out, from the drum's axis upwards. They are nearer to each other than
     * {@link #ROOM}, so a body at one of them also blocks its neighbours.
     */
    List<Vector3dc> placesToReturn() {
        return placesToReturn;
    }
}
