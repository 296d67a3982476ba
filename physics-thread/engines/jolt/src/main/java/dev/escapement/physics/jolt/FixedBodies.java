package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.enumerate.EActivation;
import dev.escapement.physics.jolt.BodyFeed.KnownBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The static bodies of a {@link JoltQueryWorld} that are not attached. One that is attached later is shown only in moments before that.
 *
 * <p>Reader only. A call that throws can be made again.
 */
final class FixedBodies {

    private final BodyInterface bodyInterface;

    /** By their ids in the stepped system. */
    private final Map<Integer, Body> fixed = new HashMap<>();

    /** Those that were attached later, until no moment can show them as they were before. */
    private final List<AttachedLater> attachedLater = new ArrayList<>();

    /** Whether the broad phase has to be rebuilt, also if a call has failed then. */
    boolean stale;

    /** A body of the queried system, and the first tick that shows it as an attached one. */
    private record AttachedLater(Body body, long attachedTick) {}

    FixedBodies(BodyInterface bodyInterface) {
        this.bodyInterface = bodyInterface;
    }

    /** Adds bodies, and removes them from a list. */
    void take(List<KnownBody> added) {
        while (!added.isEmpty()) {
            stale = true;
            KnownBody body = added.get(added.size() - 1);
            Body created = bodyInterface.createBody(body.settings);
            bodyInterface.addBody(created, EActivation.DontActivate);
            fixed.put(body.steppedId, created);
            added.remove(added.size() - 1).free();
        }
    }

    /** Notes that a body is attached, if it is one of these. */
    void attached(KnownBody body) {
        Body unattached = fixed.get(body.steppedId);
        if (unattached != null) {
            attachedLater.add(new AttachedLater(unattached, body.fromTick));
            fixed.remove(body.steppedId);
        }
    }

    /** Shows bodies that were attached later only in moments before: from then on they are shown as all attached ones. */
    void show(long tick, long oldestTick) {
        for (int i = attachedLater.size() - 1; i >= 0; i--) {
            AttachedLater later = attachedLater.get(i);
            int engineId = later.body.getId();
            boolean there = tick < later.attachedTick;
            if (there != bodyInterface.isAdded(engineId)) {
                stale = true;
                if (there) {
                    bodyInterface.addBody(later.body, EActivation.DontActivate);
                } else {
                    bodyInterface.removeBody(engineId);
                }
            }
            if (later.attachedTick <= oldestTick) {
                bodyInterface.destroyBody(engineId);
                attachedLater.remove(i);
            }
        }
    }
}
