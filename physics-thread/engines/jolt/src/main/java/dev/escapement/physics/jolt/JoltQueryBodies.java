package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyIdVector;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.query.QueryEngine;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Describes Jolt's bodies to query worlds, by Jolt's creation settings. They contain all that queries need, and share a body's shape and
 * its group's filter by counted references.
 */
final class JoltQueryBodies implements QueryBodies<Body, BodyCreationSettings> {

    private final PhysicsSystem system;
    private final BodyInterface bodyInterface;

    JoltQueryBodies(PhysicsSystem system, BodyInterface bodyInterface) {
        this.system = system;
        this.bodyInterface = bodyInterface;
    }

    /** Returns null for a soft body, whose shape changes in each tick. */
    @Override
    public @Nullable BodyCreationSettings describe(Body body) {
        return body.isSoftBody() ? null : body.getBodyCreationSettings();
    }

    @Override
    public int describeFixed(Predicate<Body> attached, BiConsumer<Object, BodyCreationSettings> fixed) {
        int unseen = 0;
        try (BodyIdVector ids = new BodyIdVector()) {
            system.getBodies(ids);
            for (int i = 0; i < ids.size(); i++) {
                int id = ids.get(i);
                if (bodyInterface.isAdded(id)) {
                    Body body = JoltCalls.body(system, id);
                    boolean isAttached = attached.test(body);
                    BodyCreationSettings settings = isAttached || !body.isStatic() ? null : describe(body);
                    if (settings != null) {
                        fixed.accept(body, settings);
                    } else if (!isAttached || body.isSoftBody()) {
                        unseen++;
                    }
                }
            }
        }
        return unseen;
    }

    @Override
    public QueryEngine<BodyCreationSettings, ?> open() {
        JoltQueries.requireLayers(system.getBroadPhaseLayerInterface()); // before anything is allocated
        return new JoltQueries(system);
    }
}
