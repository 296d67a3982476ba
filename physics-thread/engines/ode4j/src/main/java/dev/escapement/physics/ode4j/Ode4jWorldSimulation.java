package dev.escapement.physics.ode4j;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.physics.world.MeshBuilder;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ObjDoubleConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DQuaternionC;
import org.ode4j.math.DVector3;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBallJoint;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DContactGeom;
import org.ode4j.ode.DContactJoint;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DHingeJoint;
import org.ode4j.ode.DJoint;
import org.ode4j.ode.DJointGroup;
import org.ode4j.ode.DMisc;
import org.ode4j.ode.DSpace;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.internal.DxBody;
import org.ode4j.ode.internal.joints.DxJointNode;

/**
 * A simulation around an existing world of ode4j. With ODE the game itself finds touching bodies and joins them; with this simulation the
 * game does so on the physics thread:
 *
 * <pre>{@code
 * Ode4jWorldSimulation simulation = new Ode4jWorldSimulation(
 *         world, contactGroup, () -> space.collide(null, this::near), DWorld::quickStep);
 * simulation.attach(crate, CRATE_NUMBER);
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * physics.command(tick -> { crate.enable(); crate.addForce(0, 900, 0); return tick; });
 * }</pre>
 *
 * <p><b>Contacts</b> are all contact joints that the game has created in a tick. Many games create no joints between sleeping bodies, so
 * two sleeping bodies count as touching while their geoms exist and may collide. A contact gives a shape as the index of a geom among the
 * geoms of its body, in the order in which they were added. If a geom before the newest is removed from a body of more than 64, its
 * contacts may get their new indices some ticks later, one for each 64 geoms. ode4j 0.5.3 loses the geoms when it makes a joint. Without
 * them each shape is -1, and all geoms without a body are one side of contacts. So set them again:
 *
 * <pre>{@code
 * DContactJoint joint = OdeHelper.createContactJoint(world, contactGroup, contact);
 * joint.getContact().geom.g1 = contact.geom.g1;
 * joint.getContact().geom.g2 = contact.geom.g2;
 * joint.attach(contact.geom.g1.getBody(), contact.geom.g2.getBody());
 * }</pre>
 *
 * <p><b>Queries.</b> A world of ODE does not know its geoms without a body, such as the ground: name their spaces with
 * {@link #querySpaces}. Query worlds offer rays and overlaps, no sweeps. A ray that begins in a body hits the far side of its geom. Queries
 * skip disabled geoms and the callbacks of meshes; they call the callback of a height field on the asking thread. ODE allocates in each
 * query.
 *
 * <p><b>Steps.</b> ODE has no callback for steps: only {@link #touchWatch()} detects that other code steps the world.
 *
 * <p><b>Determinism.</b> The same commands give the same bits in every run, unless another thread steps another world of ODE in the same
 * JVM: all worlds share a random number generator, and each simulation continues its own sequence of it, from seed 0. {@link
 * #stepExclusively()} lets worlds of several threads wait for each other.
 *
 * <p>A capture allocates nothing, and neither do the events of a tick, unless shapes touch for the first time. A step allocates what ode4j
 * itself does.
 */
public final class Ode4jWorldSimulation extends WorldSimulation<DWorld, DBody> {

    /** The version of ode4j; a constant, because the jar's manifest is lost when the jar is packed into another one. */
    private static final String VERSION = "0.5.3";

    /** A pose is a position of three numbers, and a quaternion of four. */
    private static final int POSE_NUMBERS = 7;

    /** Locked while a world steps exclusively, because the generator of random numbers is a static field of the engine. */
    private static final Object STEPS = new Object();

    private final DWorld world;
    private final DJointGroup contacts;
    private final Runnable joinContacts;
    private final ObjDoubleConsumer<DWorld> stepper;
    private final List<DJoint.DJointFeedback> forces = new ArrayList<>(); // reused in each tick

    /** The joints with a feedback of this simulation, in the order of {@link #forces}. */
    private final List<DJoint> asked = new ArrayList<>();

    private final GeomLists geoms;
    private @Nullable List<DSpace> querySpaces;
    private double dtSeconds;
    private long randomSeed;
    private boolean exclusive;
    private final ContactPairs.Sleepers sleepers = this::stillTouch;

    /**
     * Wraps a world, which belongs to this simulation until {@link #close()}.
     *
     * @param world        the world to tick
     * @param contacts     the group of the game's contact joints; emptied before each tick creates its own
     * @param joinContacts finds touching bodies and creates the contact joints, in each tick before the step
     * @param stepper      {@code DWorld::quickStep} or {@code DWorld::step}, which gets the length of the step in seconds
     * @throws IllegalStateException if the world belongs to another simulation
     */
    public Ode4jWorldSimulation(
            DWorld world, DJointGroup contacts, Runnable joinContacts, ObjDoubleConsumer<DWorld> stepper) {
        super(world, POSE_NUMBERS, 3, null);
        this.world = world;
        geoms = new GeomLists(world, this::searched);
        this.contacts = Objects.requireNonNull(contacts, "contacts must not be null; pass the group of contact joints");
        this.joinContacts = Objects.requireNonNull(
                joinContacts, "joinContacts must not be null; where nothing touches, pass () -> {}");
        this.stepper = Objects.requireNonNull(stepper, "stepper must not be null; pass DWorld::quickStep, say");
    }

    /** {@return the version of ode4j} Another version may compute other bits. */
    public static String version() {
        return VERSION;
    }

    /**
     * Makes the steps of this world exclude those of other worlds for which this was called. Worlds on several threads then have the same
     * bits as each of them alone. Call it for every world of ODE in the JVM, before the service starts. In return, their steps wait for
     * each other, and if one step hangs, all do.
     */
    public void stepExclusively() {
        exclusive = true;
    }

    /**
     * Names the spaces of the game. Query worlds that are made later hit the geoms without a body that are in them, or in spaces within
     * them, and kinematic bodies that stand still and are not attached. Call it before the service starts, or on the physics thread.
     *
     * @param spaces the spaces; none if nothing but attached bodies can be hit
     */
    public void querySpaces(DSpace... spaces) {
        querySpaces = List.of(spaces);
    }

    @Override
    protected void advance(Tick tick) {
        for (int i = 0; tick.eventsWanted() && i < bodyCount(); i++) {
            beginsStep(i, isAsleep(attached(i)));
        }
        contacts.empty();
        joinContacts.run();
        dtSeconds = tick.dtSeconds();
        if (tick.eventsWanted()) {
            askForForces();
        }
        if (exclusive) {
            synchronized (STEPS) {
                stepWithOwnRandomNumbers(tick);
            }
        } else {
            stepWithOwnRandomNumbers(tick);
        }
    }

    /** Requests the forces of contact joints without a feedback of the game, until the next tick. */
    private void askForForces() {
        for (int i = 0; i < asked.size(); i++) { // some of the joints may still exist
            DJoint before = asked.get(i);
            before.setFeedback(before.getFeedback() == forces.get(i) ? null : before.getFeedback());
        }
        asked.clear();
        for (int i = 0; i < bodyCount(); i++) {
            DBody body = attached(i);
            for (DxJointNode at = isInWorld(body) ? joints(body) : null; at != null; at = at.next) {
                DJoint joint = at.joint;
                if (joint instanceof DContactJoint && joint.getFeedback() == null) {
                    if (asked.size() == forces.size()) {
                        forces.add(new DJoint.DJointFeedback());
                    }
                    joint.setFeedback(forces.get(asked.size()));
                    asked.add(joint);
                }
            }
        }
    }

    /** Returns the first of ODE's links to the joints of a body, because {@code getJoint(i)} counts from the first joint in each call. */
    private static @Nullable DxJointNode joints(DBody body) {
        return ((DxBody) body).firstjoint.get();
    }

    private void stepWithOwnRandomNumbers(Tick tick) {
        DMisc.dRandSetSeed(randomSeed);
        stepper.accept(world, tick.dtSeconds());
        randomSeed = DMisc.dRandGetSeed();
    }

    @Override
    protected boolean isInWorld(DBody body) {
        return body.getWorld() == world;
    }

    @Override
    protected boolean isAsleep(DBody body) {
        return !body.isEnabled();
    }

    @Override
    protected void writePose(DBody body, int slot, PoseWriter poses) {
        DVector3C position = body.getPosition();
        DQuaternionC rotation = body.getQuaternion(); // w comes first
        poses.setInWorld(
                slot,
                position.get0(),
                position.get1(),
                position.get2(),
                (float) rotation.get1(),
                (float) rotation.get2(),
                (float) rotation.get3(),
                (float) rotation.get0());
        if (body.getFiniteRotationMode()) { // otherwise ODE turns a body by less than half a turn a step
            DVector3C spin = body.getAngularVel();
            writeSpin(poses, slot, spin.get0(), spin.get1(), spin.get2());
        }
    }

    @Override
    protected int doubleAxes() {
        return 3;
    }

    @Override
    protected int readPose(DBody body, long[] bits, int at) {
        DQuaternionC rotation = body.getQuaternion(); // w comes first
        read(body.getPosition(), bits, at);
        bits[at + 3] = Double.doubleToRawLongBits(rotation.get1());
        bits[at + 4] = Double.doubleToRawLongBits(rotation.get2());
        bits[at + 5] = Double.doubleToRawLongBits(rotation.get3());
        bits[at + 6] = Double.doubleToRawLongBits(rotation.get0());
        return at + 7;
    }

    @Override
    protected void readVelocities(DBody body, long[] bits, int at) {
        read(body.getLinearVel(), bits, at);
        read(body.getAngularVel(), bits, at + 3);
    }

    @Override
    protected void pull(DBody body, DragSpring spring) {
        DVector3C position = body.getPosition();
        if (!body.isKinematic() && spring.pull(position.get0(), position.get1(), position.get2())) {
            body.enable(); // a sleeping body would keep its new velocity and not move
            body.addLinearVel(spring.dvx(), spring.dvy(), spring.dvz());
        }
    }

    /** Lists the geoms of a body anew, because a reshaped body may have lost any of them. */
    @Override
    protected void bodyShown(DBody body, long id, long tick) {
        geoms.forget(body);
    }

    @Override
    protected @Nullable BodyShape shapeOf(DBody body, MeshBuilder mesh) {
        geoms.begin();
        return Ode4jForms.shapeOf(body, geoms.of(body), mesh);
    }

    /**
     * Returns the joints of attached bodies, because ODE lists joints only by body. Ball and hinge joints end at their anchors, joints of
     * other types at the positions of their bodies.
     */
    @Override
    protected Stream<BodyJoint> jointsOf() {
        return IntStream.range(0, bodyCount())
                .mapToObj(this::attached)
                .filter(this::isInWorld)
                .flatMap(body -> Stream.iterate(joints(body), Objects::nonNull, at -> at.next))
                .<DJoint>map(at -> at.joint)
                .filter(joint -> !(joint instanceof DContactJoint))
                .distinct() // both bodies list the joint
                .map(this::told);
    }

    private BodyJoint told(DJoint joint) {
        DBody body = joint.getBody(0);
        DBody other = joint.getBody(1);
        DVector3 at = new DVector3((body == null ? other : body).getPosition());
        DVector3 otherAt = new DVector3((other == null ? body : other).getPosition());
        if (joint instanceof DBallJoint ball) {
            ball.getAnchor(at);
            ball.getAnchor2(otherAt);
        } else if (joint instanceof DHingeJoint hinge) {
            hinge.getAnchor(at);
            hinge.getAnchor2(otherAt);
        }
        return new BodyJoint(end(body, at), end(other, otherAt));
    }

    private BodyJoint.End end(@Nullable DBody body, DVector3 anchor) {
        long id = jointId(body);
        if (body != null && id != BodyJoint.End.WORLD) {
            body.getPosRelPoint(anchor.copy(), anchor);
        }
        return new BodyJoint.End(id, anchor.get0(), anchor.get1(), anchor.get2());
    }

    private static void read(DVector3C v, long[] bits, int at) {
        bits[at] = Double.doubleToRawLongBits(v.get0());
        bits[at + 1] = Double.doubleToRawLongBits(v.get1());
        bits[at + 2] = Double.doubleToRawLongBits(v.get2());
    }

    /** Reports the contact joints, which exist until the next tick. */
    @Override
    protected void reportContacts(ContactPairs touching) {
        geoms.begin();
        for (int i = 0; i < bodyCount(); i++) {
            DBody body = attached(i);
            for (DxJointNode at = joints(body); at != null; at = at.next) {
                if (at.joint instanceof DContactJoint contact) {
                    report(body, contact, touching);
                }
            }
        }
    }

    private void report(DBody body, DContactJoint joint, ContactPairs touching) {
        boolean isFirst = joint.getBody(0) == body;
        DBody other = joint.getBody(isFirst ? 1 : 0);
        if (!isFirst && attachedSlot(other) >= 0) {
            return; // both bodies list the joint
        }
        DContactGeom at = joint.getContact().geom;
        boolean isOwnFirst = at.g1 != null && at.g1.getBody() == body;
        DGeom own = isOwnFirst ? at.g1 : at.g2;
        DGeom othersOwn = isOwnFirst ? at.g2 : at.g1;
        Object otherObject = other == null ? othersOwn : other;
        if (touching.touch(
                sideOf(body),
                indexOf(own, body),
                otherObject == null ? EventWriter.NO_SLOT : sideOf(otherObject),
                indexOf(othersOwn, other),
                false)) {
            int towardsOther = isFirst ? -1 : 1; // ODE's normal points into the first body
            touching.point(
                    at.pos.get0(),
                    at.pos.get1(),
                    at.pos.get2(),
                    towardsOther * at.normal.get0(),
                    towardsOther * at.normal.get1(),
                    towardsOther * at.normal.get2(),
                    at.depth);
            DJoint.DJointFeedback force = joint.getFeedback();
            touching.impulse(force == null ? Double.NaN : along(joint, force) * dtSeconds);
        }
    }

    /**
     * Returns the index of a geom among the geoms of its body, in the order in which they were added to the body. A geom without a body has
     * index 0 while it is in a space.
     */
    private int indexOf(@Nullable DGeom geom, @Nullable DBody body) {
        if (geom == null || geom.getBody() != body || (body == null && geom.getSpace() == null)) {
            return BodyEvent.NO_SHAPE; // the game has made the joint from another geom
        }
        return body == null ? 0 : shapeIndex(body, geom);
    }

    @Override
    protected int shapeCount(DBody body) {
        return geoms.of(body).size();
    }

    @Override
    protected Object shapeAt(DBody body, int index) {
        return geoms.of(body).get(index);
    }

    /**
     * Returns the normal force. If one of the geoms has no body, the force is in {@code f1} or {@code f2}, depending on the geom's side of
     * the joint.
     */
    private static double along(DContactJoint contact, DJoint.DJointFeedback force) {
        DVector3C normal = contact.getContact().geom.normal;
        return Math.max(Math.abs(force.f1.dot(normal)), Math.abs(force.f2.dot(normal)));
    }

    /**
     * Returns the test for two sleeping bodies. The game need not create joints between them, so they count as touching while their geoms
     * exist and may collide.
     */
    @Override
    protected ContactPairs.Sleepers sleepers() {
        return sleepers;
    }

    private boolean stillTouch(int slot, int shape, long other, int otherShape, boolean isSensor) {
        if (shape == BodyEvent.NO_SHAPE || otherShape == BodyEvent.NO_SHAPE) {
            return true;
        }
        Object object = other >= 0 ? bodyAt((int) other) : contacts().objectOf(other);
        DGeom geom = geomAt(bodyAt(slot), shape);
        DGeom otherGeom = object instanceof DGeom fixed ? fixed : geomAt((DBody) object, otherShape);
        return geom != null
                && otherGeom != null
                && (otherGeom.getBody() != null || otherGeom.getSpace() != null)
                && geom.isEnabled()
                && otherGeom.isEnabled()
                && ((geom.getCategoryBits() & otherGeom.getCollideBits()) != 0
                        || (otherGeom.getCategoryBits() & geom.getCollideBits()) != 0);
    }

    private @Nullable DGeom geomAt(@Nullable DBody body, int index) {
        DGeom geom = body == null || index >= shapeCount(body)
                ? null
                : geoms.of(body).get(index);
        return geom == null || geom.getBody() != body ? null : geom;
    }

    /** Returns the queries of ODE, for which the game must have called {@link #querySpaces}: otherwise they would hit no ground. */
    @Override
    protected QueryBodies<DBody, ?> queryBodies() {
        if (querySpaces == null) {
            throw new IllegalStateException(
                    "a world of ODE does not know the spaces of its geoms without a body, such as the"
                            + " ground; call querySpaces(space) on the simulation first");
        }
        return new Ode4jQueryBodies(querySpaces);
    }

    /** Empties the game's group of contact joints. */
    @Override
    protected void released() {
        contacts.empty();
    }
}
