package dev.escapement.physics.physx;

import dev.escapement.physics.contact.ContactPairs;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import physx.common.PxVec3;
import physx.physics.PxActor;
import physx.physics.PxConstraintInfo;
import physx.physics.PxContactPair;
import physx.physics.PxContactPairHeader;
import physx.physics.PxContactPairHeaderFlagEnum;
import physx.physics.PxContactPairPoint;
import physx.physics.PxPairFlagEnum;
import physx.physics.PxPairFlags;
import physx.physics.PxRigidActor;
import physx.physics.PxScene;
import physx.physics.PxShape;
import physx.physics.PxSimulationEventCallback;
import physx.physics.PxSimulationEventCallbackImpl;
import physx.physics.PxTriggerPair;
import physx.physics.PxTriggerPairFlagEnum;
import physx.support.NativeArrayHelpers;
import physx.support.PxActorPtr;
import physx.support.PxArray_PxContactPairPoint;

/**
 * The event callback of a scene, which keeps the touching pairs. PhysX calls it within {@code fetchResults}, on the thread that fetches.
 *
 * <p>A pair is identified by addresses alone, because one of its actors may have been released. The callback allocates a few small objects
 * for each event.
 */
final class PhysxContacts extends PxSimulationEventCallbackImpl {

    private static final int MOST_POINTS = 64;
    private static final int STEP = 7;

    /**
     * This adapter's callbacks that scenes have now, so that none of them counts as a callback of the game. Some stay in their scene after
     * the end of their simulation, see {@link #letGo}. Guarded by its own monitor.
     */
    private static final Set<PxSimulationEventCallback> OURS = new HashSet<>();

    /** The key of a touch: two shapes of two actors, because actors may share a shape. */
    private record ShapePair(long actor, long other, long shape, long otherShape) {}

    /** A touch of two shapes. {@code at} has its beginning: x, y, z, the normal, the impulse and the step; NaN if unknown. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Touch(
            PxRigidActor actor, int shape, PxRigidActor other, int otherShape, boolean isSensor, double[] at) {}

    /** The absence of a callback, because the binding cannot pass null. */
    private static final class None extends PxSimulationEventCallback {}

    private final PxScene scene;
    private final @Nullable PxSimulationEventCallbackImpl next;
    private final Map<ShapePair, Touch> touching = new LinkedHashMap<>(); // in the order of PhysX's reports
    private final PxArray_PxContactPairPoint points = new PxArray_PxContactPairPoint(MOST_POINTS);
    private final BooleanSupplier tellsLasting;
    private final ToIntBiFunction<PxRigidActor, PxShape> indexOf;
    private int step;

    /**
     * Creates a callback and sets it in a scene.
     *
     * @param next         the game's callback, which gets all calls too, because a scene has only one callback
     * @param tellsLasting returns whether contacts are reported while they last
     * @param indexOf      returns the index of a shape in its actor
     */
    PhysxContacts(
            PxScene scene,
            @Nullable PxSimulationEventCallbackImpl next,
            BooleanSupplier tellsLasting,
            ToIntBiFunction<PxRigidActor, PxShape> indexOf) {
        this.scene = scene;
        this.next = next;
        this.tellsLasting = tellsLasting;
        this.indexOf = indexOf;
        synchronized (OURS) {
            OURS.add(this);
        }
        scene.setSimulationEventCallback(this);
    }

    /** Returns whether a scene has a callback of the game other than the given one. */
    static boolean hasOther(PxScene scene, @Nullable PxSimulationEventCallbackImpl given) {
        PxSimulationEventCallback present = scene.getSimulationEventCallback();
        synchronized (OURS) {
            return present != null && !present.equals(given) && !OURS.contains(present);
        }
    }

    void beginStep() {
        step++;
    }

    @Override
    public void onContact(PxContactPairHeader header, PxContactPair pairs, int count) {
        if (next != null) {
            next.onContact(header, pairs, count);
        }
        boolean removed = header.getFlags().isSet(PxContactPairHeaderFlagEnum.eREMOVED_ACTOR_0)
                || header.getFlags().isSet(PxContactPairHeaderFlagEnum.eREMOVED_ACTOR_1);
        for (int i = 0; i < count; i++) {
            take(header.getActors(0), header.getActors(1), NativeArrayHelpers.getContactPairAt(pairs, i), removed);
        }
    }

    private void take(PxActor actor, PxActor other, PxContactPair pair, boolean removed) {
        ShapePair key = new ShapePair(
                actor.getAddress(),
                other.getAddress(),
                pair.getShapes(0).getAddress(),
                pair.getShapes(1).getAddress());
        PxPairFlags events = pair.getEvents();
        if (events.isSet(PxPairFlagEnum.eNOTIFY_TOUCH_LOST)) {
            lose(key, removed);
            return;
        }
        Touch known = touching.get(key);
        if (!removed && (known == null || events.isSet(PxPairFlagEnum.eNOTIFY_TOUCH_FOUND))) {
            // PhysX may find a touch before it reports the loss of a removed actor with the same address. A persisting
            // touch may also be unknown, because it began before this callback was set.
            Touch found = touch(key, false);
            touching.put(key, found);
            place(pair, found.at);
        } else if (known != null && tellsLasting.getAsBoolean()) {
            known.at[STEP] = step;
            place(pair, known.at);
        }
    }

    private Touch touch(ShapePair key, boolean isSensor) {
        PxRigidActor actor = PxRigidActor.wrapPointer(key.actor);
        PxRigidActor other = PxRigidActor.wrapPointer(key.other);
        double[] at = new double[STEP + 1];
        Arrays.fill(at, Double.NaN);
        at[STEP] = step;
        int shape = indexOf.applyAsInt(actor, PxShape.wrapPointer(key.shape));
        int otherShape = indexOf.applyAsInt(other, PxShape.wrapPointer(key.otherShape));
        return new Touch(actor, shape, other, otherShape, isSensor, at);
    }

    private void lose(ShapePair key, boolean removed) {
        Touch known = touching.get(key);
        // If an actor was removed and the touch was found in this step, it is of a new actor at the same address, and
        // stays.
        if (known != null && !(removed && known.at[STEP] == step)) {
            touching.remove(key);
        }
    }

    private void place(PxContactPair pair, double[] at) {
        int count =
                pair.extractContacts(points.begin(), MOST_POINTS); // empty if the game's filter does not request points
        float least = Float.POSITIVE_INFINITY;
        at[6] = count > 0 ? 0 : Double.NaN;
        for (int i = 0; i < count; i++) {
            PxContactPairPoint point = points.get(i);
            at[6] += along(point.getImpulse(), point.getNormal());
            if (point.getSeparation() < least) {
                least = point.getSeparation();
                PxVec3 place = point.getPosition();
                PxVec3 normal = point.getNormal(); // points into the first shape
                at[0] = place.getX();
                at[1] = place.getY();
                at[2] = place.getZ();
                at[3] = -normal.getX();
                at[4] = -normal.getY();
                at[5] = -normal.getZ();
            }
        }
    }

    private static double along(PxVec3 impulse, PxVec3 normal) {
        return impulse.getX() * normal.getX() + impulse.getY() * normal.getY() + impulse.getZ() * normal.getZ();
    }

    void report(ContactPairs pairs, ToLongFunction<PxRigidActor> sideOf) {
        for (Touch touch : touching.values()) {
            if (pairs.touch(
                    sideOf.applyAsLong(touch.actor()),
                    touch.shape,
                    sideOf.applyAsLong(touch.other),
                    touch.otherShape,
                    touch.isSensor)) {
                double[] at = touch.at;
                pairs.point(at[0], at[1], at[2], at[3], at[4], at[5], 0);
                pairs.impulse(at[STEP] == step ? at[6] : Double.NaN);
            }
        }
    }

    @Override
    public void onConstraintBreak(PxConstraintInfo constraints, int count) {
        if (next != null) {
            next.onConstraintBreak(constraints, count);
        }
    }

    @Override
    public void onWake(PxActorPtr actors, int count) {
        if (next != null) {
            next.onWake(actors, count);
        }
    }

    @Override
    public void onSleep(PxActorPtr actors, int count) {
        if (next != null) {
            next.onSleep(actors, count);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // deprecated, but the only way to distinguish the shapes of the other actor
    public void onTrigger(PxTriggerPair pairs, int count) {
        if (next != null) {
            next.onTrigger(pairs, count);
        }
        for (int i = 0; i < count; i++) {
            PxTriggerPair pair = NativeArrayHelpers.getTriggerPairAt(pairs, i);
            ShapePair key = new ShapePair(
                    pair.getTriggerActor().getAddress(),
                    pair.getOtherActor().getAddress(),
                    pair.getTriggerShape().getAddress(),
                    pair.getOtherShape().getAddress());
            boolean removed = pair.getFlags().isSet(PxTriggerPairFlagEnum.eREMOVED_SHAPE_TRIGGER)
                    || pair.getFlags().isSet(PxTriggerPairFlagEnum.eREMOVED_SHAPE_OTHER);
            if (pair.getStatus() == PxPairFlagEnum.eNOTIFY_TOUCH_LOST) {
                lose(key, removed);
            } else if (!removed) {
                touching.put(key, touch(key, true));
            }
        }
    }

    /**
     * Sets the game's callback in the scene again. PhysX refuses this while other code simulates the scene. Then this callback stays, and
     * only passes calls on until the next adapter replaces it.
     */
    void letGo() {
        scene.setSimulationEventCallback(next == null ? new None() : next);
        if (!this.equals(scene.getSimulationEventCallback())) {
            synchronized (OURS) {
                OURS.remove(this);
            }
            points.destroy();
            destroy();
        }
    }
}
