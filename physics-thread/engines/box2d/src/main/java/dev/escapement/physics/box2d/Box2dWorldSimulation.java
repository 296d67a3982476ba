package dev.escapement.physics.box2d;

import com.badlogic.gdx.math.Vector2;
import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.Contact;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.Joint;
import com.badlogic.gdx.physics.box2d.World;
import com.badlogic.gdx.physics.box2d.WorldManifold;
import com.badlogic.gdx.utils.Array;
import com.badlogic.gdx.utils.LongMap;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.ContactTiming;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulation around an existing world of libGDX's Box2D. A pose is the origin of a body, x and y with z = 0, and a rotation about z.
 *
 * <pre>{@code
 * Box2dNatives.load();
 * World world = new World(new Vector2(0, -9.81f), true);
 * Box2dWorldSimulation simulation = new Box2dWorldSimulation(world, (stepped, dt) -> stepped.step(dt, 8, 3));
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.command(tick -> { crate.applyLinearImpulse(0, 5, crateX, crateY, true); return tick; });
 * physics.query(tick -> { world.rayCast(firstHit, from, to); return simulation.idOf(firstHit.body); });
 * }</pre>
 *
 * <p><b>Steps.</b> A tick is one call of your {@link Stepper}. Box2D has no callback at the start of a step, so steps by other code are not
 * refused. If another thread steps at the same time, the tick fails; {@link #touchWatch()} finds all other steps.
 *
 * <p><b>Bodies.</b> libGDX gives the {@code Body} object of a body that was destroyed to the next one that is created. An attached body
 * that was destroyed fails the next capture, unless another one was created meanwhile: readers would see that one in its place.
 *
 * <p><b>Contacts</b> are the pairs of fixtures that touch after a step, unless a listener has disabled them. Contacts of sensors have no
 * place. A contact gives a shape as the index of the fixture in its body's list. If a fixture is destroyed, the contacts of the later
 * fixtures in that list end, and begin under new indices.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run of the same native library, from a world that was made the same
 * way. A state cannot be saved: the binding cannot set the impulses of the step before.
 *
 * <p>Steps, captures and events allocate nothing, once the binding has an object for each pair of bodies that are near each other.
 */
public final class Box2dWorldSimulation extends WorldSimulation<World, Body> {

    /** Steps the world. A game passes its own to choose how often Box2D's solvers iterate. */
    @FunctionalInterface
    public interface Stepper {

        /**
         * Steps a world.
         *
         * @param world     the world to step
         * @param dtSeconds the length of the step
         */
        void step(World world, float dtSeconds);
    }

    /** The version of the binding; a constant, because the binding does not know its own. */
    static final String VERSION = "1.14.0";

    /** A pose is a position of two numbers, and an angle. */
    private static final int POSE_NUMBERS = 3;

    private static final Vector2 AHEAD = new Vector2(1, 0);

    /** The binding's map of a world's bodies by address, read here because its public list of bodies would have to be searched. */
    private static final VarHandle BODIES = field(World.class, "bodies", LongMap.class);

    private static final VarHandle ADDRESS = field(Body.class, "addr", long.class);

    private final World world;
    private final Stepper stepper;
    private final LongMap<?> bodies;
    private final Impulses impulses = new Impulses(this::sideOf, this::indexOf);

    /**
     * Wraps a world, which belongs to this simulation until {@link #close()}.
     *
     * @param world   the world to tick
     * @param stepper for example {@code (world, dt) -> world.step(dt, 8, 3)}
     * @throws IllegalStateException if the world belongs to another simulation
     */
    public Box2dWorldSimulation(World world, Stepper stepper) {
        super(world, POSE_NUMBERS, 2, null);
        this.world = world;
        bodies = (LongMap<?>) BODIES.get(world);
        this.stepper = Objects.requireNonNull(
                stepper, "stepper must not be null; pass the call of world.step with its iterations");
    }

    /**
     * {@return the version of the binding and the platform, unless the game has loaded another library} Another native library may compute
     * other bits.
     */
    public static String version() {
        return VERSION + " on " + NativeResource.runningPlatform();
    }

    @Override
    protected void advance(Tick tick) {
        if (world.isLocked()) { // a second step at the same time would end the JVM
            throw new IllegalStateException("other code is within a step of the world that thread '"
                    + Thread.currentThread().getName() + "' ticks; leave steps to the service, or close it first");
        }
        if (tick.eventsWanted()) {
            impulses.begin(world, contacts().tellsLasting());
        }
        try {
            stepper.step(world, (float) tick.dtSeconds());
        } finally {
            impulses.end(world);
        }
    }

    /** Returns the queries of Box2D, which has no sweeps. */
    @Override
    protected QueryBodies<Body, ?> queryBodies() {
        return new Box2dQueryBodies(world);
    }

    static VarHandle field(Class<?> of, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(of, MethodHandles.lookup()).findVarHandle(of, name, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "The " + of.getSimpleName() + " of libGDX has no " + name + ". Use gdx-box2d " + VERSION + ".", e);
        }
    }

    @Override
    protected boolean isInWorld(Body body) {
        return bodies.get((long) ADDRESS.get(body)) == body;
    }

    /**
     * Needs one native call for most moving bodies: a body with a velocity is awake and not static. The exception is a sleeping or static
     * body whose definition has a velocity; it counts as awake, and each capture writes it.
     */
    @Override
    protected boolean isAsleep(Body body) {
        return body.getLinearVelocity().isZero() && (!body.isAwake() || body.getType() == BodyType.StaticBody);
    }

    /** Writes the pose with two native calls. They take two thirds of the time of {@code getTransform}, which copies into an array. */
    @Override
    protected void writePose(Body body, int slot, PoseWriter poses) {
        Vector2 at = body.getPosition();
        Vector2 turned = body.getWorldVector(AHEAD);
        writeFlatPose(poses, slot, at.x, at.y, turned.x, turned.y);
    }

    @Override
    protected int readPose(Body body, long[] bits, int at) {
        read(body.getPosition(), bits, at);
        bits[at + 2] = Float.floatToRawIntBits(body.getAngle());
        return at + 3;
    }

    @Override
    protected void readVelocities(Body body, long[] bits, int at) {
        read(body.getLinearVelocity(), bits, at);
        bits[at + 2] = Float.floatToRawIntBits(body.getAngularVelocity());
    }

    private static void read(Vector2 v, long[] bits, int at) {
        bits[at] = Float.floatToRawIntBits(v.x);
        bits[at + 1] = Float.floatToRawIntBits(v.y);
    }

    @Override
    protected void pull(Body body, DragSpring spring) {
        if (body.getType() == BodyType.DynamicBody) {
            Vector2 at = body.getPosition();
            if (spring.pull(at.x, at.y, 0)) {
                Vector2 velocity = body.getLinearVelocity().add((float) spring.dvx(), (float) spring.dvy());
                body.setLinearVelocity(velocity); // wakes the body
            }
        }
    }

    @Override
    protected @Nullable BodyShape shapeOf(Body body, MeshBuilder mesh) {
        return Box2dForms.shapeOf(body, mesh);
    }

    @Override
    protected Stream<BodyJoint> jointsOf() {
        Array<Joint> joints = new Array<>(Joint[]::new);
        world.getJoints(joints);
        return Stream.of(joints.toArray())
                .map(joint -> new BodyJoint(
                        end(joint.getBodyA(), joint.getAnchorA()), end(joint.getBodyB(), joint.getAnchorB())));
    }

    private BodyJoint.End end(Body body, Vector2 anchor) {
        long id = jointId(body);
        Vector2 at = id == BodyJoint.End.WORLD ? anchor : body.getLocalPoint(anchor);
        return new BodyJoint.End(id, at.x, at.y, 0);
    }

    /** Returns {@link ContactTiming#POINTS_AFTER_STEP}, because Box2D computes the points of a contact when they are read. */
    @Override
    protected ContactTiming contactTiming() {
        return ContactTiming.POINTS_AFTER_STEP;
    }

    @Override
    protected void centreOfMass(Body body, double[] at) {
        Vector2 centre = body.getWorldCenter();
        at[0] = centre.x;
        at[1] = centre.y;
    }

    @Override
    protected void centreOffset(Body body, float[] offset) {
        Vector2 centre = body.getLocalCenter();
        offset[0] = centre.x;
        offset[1] = centre.y;
    }

    @Override
    protected void reportContacts(ContactPairs touching) {
        Array<Contact> contacts = world.getContactList();
        for (int i = 0; i < contacts.size; i++) {
            Contact contact = contacts.get(i);
            if (contact.isTouching() && contact.isEnabled()) {
                report(contact, touching);
            }
        }
        impulses.report(touching);
    }

    private void report(Contact contact, ContactPairs touching) {
        Fixture fixture = contact.getFixtureA();
        Fixture other = contact.getFixtureB();
        long side = sideOf(fixture.getBody());
        long otherSide = sideOf(other.getBody());
        boolean isSensor = fixture.isSensor() || other.isSensor();
        if (isMovedAsleep(side)
                || isMovedAsleep(otherSide)
                || !touching.touch(side, indexOf(fixture), otherSide, indexOf(other), isSensor)) {
            return;
        }
        WorldManifold manifold = contact.getWorldManifold();
        Vector2 normal = manifold.getNormal(); // points from the first to the second body
        for (int i = 0; i < manifold.getNumberOfContactPoints(); i++) {
            Vector2 point = manifold.getPoints()[i];
            touching.point(point.x, point.y, 0, normal.x, normal.y, 0, -manifold.getSeparations()[i]);
        }
    }

    private int indexOf(Fixture fixture) {
        return shapeIndex(fixture.getBody(), fixture);
    }

    @Override
    protected int shapeCount(Body body) {
        return body.getFixtureList().size;
    }

    @Override
    protected Object shapeAt(Body body, int index) {
        return body.getFixtureList().get(index);
    }
}
