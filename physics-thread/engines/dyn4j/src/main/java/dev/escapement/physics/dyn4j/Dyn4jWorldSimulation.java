package dev.escapement.physics.dyn4j;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.ContactTiming;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import java.util.Iterator;
import java.util.stream.Stream;
import org.dyn4j.Version;
import org.dyn4j.dynamics.PhysicsBody;
import org.dyn4j.dynamics.TimeStep;
import org.dyn4j.dynamics.contact.ContactConstraint;
import org.dyn4j.dynamics.contact.SolvedContact;
import org.dyn4j.dynamics.joint.DistanceJoint;
import org.dyn4j.dynamics.joint.PairedBodyJoint;
import org.dyn4j.dynamics.joint.RevoluteJoint;
import org.dyn4j.geometry.Convex;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;
import org.dyn4j.geometry.Wound;
import org.dyn4j.world.PhysicsWorld;
import org.dyn4j.world.World;
import org.dyn4j.world.WorldCollisionData;
import org.dyn4j.world.listener.StepListener;
import org.dyn4j.world.listener.StepListenerAdapter;

/**
 * A simulation around an existing world of dyn4j. A pose is the transform of a body, x and y with z = 0, and a rotation about z.
 *
 * <pre>{@code
 * Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.command(tick -> crate.applyImpulse(new Vector2(0, 5)));
 * }</pre>
 *
 * <p><b>Steps.</b> A tick is one step of dyn4j of the tick's length; do not call {@code update} any more. If other code steps the world,
 * its call throws.
 *
 * <p><b>Contacts</b> are dyn4j's contact constraints after a step, also of sensors, unless a listener has disabled them. The event of a
 * contact that begins has a closing speed, but no impulse, because dyn4j solves the contact in the next tick. A contact gives a shape as
 * the index of the fixture in its body's list. If a fixture is removed, the contacts of the later fixtures in that list end, and begin
 * under new indices.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run on the same JVM and kind of processor, except with bodies
 * marked as bullets: dyn4j moves those in the order of a hash table, which differs from run to run.
 *
 * <p>A capture allocates nothing, and the events of a tick a few small objects; a step allocates what dyn4j itself does.
 *
 * @param <B> the game's bodies
 */
public final class Dyn4jWorldSimulation<B extends PhysicsBody> extends WorldSimulation<World<B>, B> {

    /** A pose is a position of two numbers, and the cosine and the sine of an angle. */
    private static final int POSE_NUMBERS = 4;

    private static final double HALF_THICKNESS_METRES = 0.1;

    private final World<B> world;
    private final StepListener<B> ownSteps = new StepListenerAdapter<>() {
        @Override
        public void begin(TimeStep step, PhysicsWorld<B, ?> stepped) {
            requireOwnStep();
        }
    };

    /**
     * Wraps a world, which belongs to this simulation until {@link #close()}.
     *
     * @param world the world to tick
     * @throws IllegalStateException if the world belongs to another simulation
     */
    public Dyn4jWorldSimulation(World<B> world) {
        super(world, POSE_NUMBERS, 2, null);
        this.world = world;
        world.addStepListener(ownSteps);
    }

    /** {@return the version of dyn4j} Another version may compute other bits. */
    public static String version() {
        return Version.getVersion();
    }

    @Override
    protected void advance(Tick tick) {
        world.step(1, tick.dtSeconds());
    }

    /** Returns the queries of dyn4j. They share the shapes of fixtures. */
    @Override
    protected QueryBodies<B, ?> queryBodies() {
        return new Dyn4jQueryBodies<>(world);
    }

    @Override
    protected boolean isInWorld(B body) {
        return body.getOwner() == world;
    }

    @Override
    protected boolean isAsleep(B body) {
        return body.isAtRest() || body.isStatic();
    }

    @Override
    protected void writePose(B body, int slot, PoseWriter poses) {
        Transform transform = body.getTransform();
        writeFlatPose(
                poses,
                slot,
                transform.getTranslationX(),
                transform.getTranslationY(),
                transform.getCost(),
                transform.getSint());
        writeSpin(poses, slot, 0, 0, body.getAngularVelocity());
    }

    @Override
    protected int doubleAxes() {
        return 2;
    }

    @Override
    protected int readPose(B body, long[] bits, int at) {
        Transform transform = body.getTransform();
        bits[at] = Double.doubleToRawLongBits(transform.getTranslationX());
        bits[at + 1] = Double.doubleToRawLongBits(transform.getTranslationY());
        bits[at + 2] = Double.doubleToRawLongBits(transform.getCost());
        bits[at + 3] = Double.doubleToRawLongBits(transform.getSint());
        return at + 4;
    }

    @Override
    protected void readVelocities(B body, long[] bits, int at) {
        Vector2 velocity = body.getLinearVelocity();
        bits[at] = Double.doubleToRawLongBits(velocity.x);
        bits[at + 1] = Double.doubleToRawLongBits(velocity.y);
        bits[at + 2] = Double.doubleToRawLongBits(body.getAngularVelocity());
    }

    @Override
    protected void pull(B body, DragSpring spring) {
        Transform at = body.getTransform();
        if (body.getMass().getInverseMass() > 0 && spring.pull(at.getTranslationX(), at.getTranslationY(), 0)) {
            body.setAtRest(false); // a sleeping body would keep its new velocity and not move
            body.getLinearVelocity().add(spring.dvx(), spring.dvy());
        }
    }

    /** Returns the fixtures, 20 cm thick. A body of infinite mass is kinematic, because dyn4j does not distinguish static bodies. */
    @Override
    protected BodyShape shapeOf(B body, MeshBuilder mesh) {
        while (mesh.next(body.getFixtureCount())) {
            add(body.getFixture(mesh.part()).getShape(), mesh);
        }
        return new BodyShape(mesh.build(), body.getMass().isInfinite());
    }

    private static void add(Convex shape, MeshBuilder mesh) {
        if (shape instanceof Wound polygon) {
            Vector2[] vertices = polygon.getVertices();
            double[] outline = new double[2 * vertices.length];
            for (int i = 0; i < vertices.length; i++) {
                outline[2 * i] = vertices[i].x;
                outline[2 * i + 1] = vertices[i].y;
            }
            mesh.addPrism(HALF_THICKNESS_METRES, outline);
            return;
        }
        Vector2 direction = new Vector2();
        Transform identity = new Transform();
        mesh.addRoundPrism(HALF_THICKNESS_METRES, (x, y, z, corner) -> {
            Vector2 farthest = shape.getFarthestPoint(direction.set(x, y), identity);
            corner[0] = farthest.x;
            corner[1] = farthest.y;
        });
    }

    /** Returns the joints of two bodies. Revolute and distance joints end at their anchors, other joints at the bodies' positions. */
    @Override
    protected Stream<BodyJoint> jointsOf() {
        return world.getJoints().stream()
                .filter(PairedBodyJoint.class::isInstance)
                .map(joint -> told((PairedBodyJoint<B>) joint));
    }

    private BodyJoint told(PairedBodyJoint<B> joint) {
        Vector2 at = joint.getBody1().getTransform().getTranslation();
        Vector2 otherAt = joint.getBody2().getTransform().getTranslation();
        if (joint instanceof RevoluteJoint<B> hinge) {
            at = hinge.getAnchor1();
            otherAt = hinge.getAnchor2();
        } else if (joint instanceof DistanceJoint<B> rod) {
            at = rod.getAnchor1();
            otherAt = rod.getAnchor2();
        }
        return new BodyJoint(end(joint.getBody1(), at), end(joint.getBody2(), otherAt));
    }

    private BodyJoint.End end(B body, Vector2 anchor) {
        long id = jointId(body);
        Vector2 at = id == BodyJoint.End.WORLD ? anchor : body.getLocalPoint(anchor);
        return new BodyJoint.End(id, at.x, at.y, 0);
    }

    /** Returns when dyn4j reports contacts: it finds them at the end of a step and solves them in the next step. */
    @Override
    protected ContactTiming contactTiming() {
        return ContactTiming.BEFORE_SOLVE;
    }

    @Override
    protected void centreOfMass(B body, double[] at) {
        Vector2 centre = body.getWorldCenter();
        at[0] = centre.x;
        at[1] = centre.y;
    }

    @Override
    protected void centreOffset(B body, float[] offset) {
        Vector2 centre = body.getLocalCenter();
        offset[0] = (float) centre.x;
        offset[1] = (float) centre.y;
    }

    @Override
    protected void reportContacts(ContactPairs touching) {
        Iterator<WorldCollisionData<B>> all = world.getCollisionDataIterator();
        while (all.hasNext()) {
            WorldCollisionData<B> data = all.next();
            if (data.isContactConstraintCollision()
                    && data.getContactConstraint().isEnabled()
                    // This reads the current filters, because dyn4j does not examine sleeping bodies again.
                    && data.getFixture1()
                            .getFilter()
                            .isAllowed(data.getFixture2().getFilter())) {
                report(data.getContactConstraint(), touching);
            }
        }
    }

    private void report(ContactConstraint<B> constraint, ContactPairs touching) {
        if (touching.touch(
                sideOf(constraint.getBody1()),
                shapeIndex(constraint.getBody1(), constraint.getFixture1()),
                sideOf(constraint.getBody2()),
                shapeIndex(constraint.getBody2(), constraint.getFixture2()),
                constraint.isSensor())) {
            Vector2 normal = constraint.getNormal(); // points from the second body to the first
            for (SolvedContact contact : constraint.getContacts()) {
                Vector2 point = contact.getPoint();
                touching.point(point.x, point.y, 0, -normal.x, -normal.y, 0, contact.getDepth());
                touching.impulse(contact.isSolved() ? contact.getNormalImpulse() : Double.NaN);
            }
        }
    }

    @Override
    protected int shapeCount(B body) {
        return body.getFixtureCount();
    }

    @Override
    protected Object shapeAt(B body, int index) {
        return body.getFixture(index);
    }

    @Override
    protected void released() {
        world.removeStepListener(ownSteps);
    }
}
