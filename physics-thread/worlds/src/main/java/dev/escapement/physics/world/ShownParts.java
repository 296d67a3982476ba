package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attached parts. Their ids and slots come from {@link ShownBodies}, like those of bodies.
 *
 * <p>One thread at a time. Allocates when parts are attached, but not in a capture.
 */
final class ShownParts {

    private final ShownBodies<?> bodies;
    private final List<Part> parts = new ArrayList<>();

    /** The parts by the objects of the engine whose contacts they have. */
    private final Map<Object, Part> byObject = new HashMap<>();

    /** The parts that no capture has spawned yet, in the order in which they were attached. */
    final List<ShownBody<Part>> coming = new ArrayList<>();

    /** The slots of the parts of the last capture. */
    final BitSet slots = new BitSet();

    ShownParts(ShownBodies<?> bodies) {
        this.bodies = bodies;
    }

    void attach(Part added) {
        if (added.object != null) {
            byObject.put(added.object, added);
        }
        added.shown.index = parts.size();
        parts.add(added);
        coming.add(added.shown);
    }

    void detach(Part part) {
        if (part.shown.index >= parts.size() || parts.get(part.shown.index) != part) {
            throw new IllegalArgumentException(part.shown + ", a part, is not attached; detach a part once");
        }
        byObject.remove(part.object);
        Part last = parts.remove(parts.size() - 1);
        if (last != part) {
            parts.set(part.shown.index, last);
            last.shown.index = part.shown.index;
        }
        bodies.withdraw(part.shown, coming);
    }

    boolean haveObjects() {
        return !byObject.isEmpty();
    }

    int slotOf(@Nullable Object object) {
        Part part = byObject.get(object);
        return part == null ? EventWriter.NO_SLOT : part.shown.slot();
    }

    /** Writes the poses, from the last part to the first, so that a source can detach its part meanwhile. */
    void capture(PoseWriter poses, JumpFinder<?> jumps) {
        slots.clear();
        for (int i = parts.size() - 1; i >= 0; i--) {
            Part part = parts.get(i);
            slots.set(part.shown.slot());
            part.capture(poses, jumps);
        }
    }

    List<ShownBody<Part>> spawned() {
        return parts.stream()
                .map(part -> part.shown)
                .filter(ShownBody::isSpawned)
                .toList();
    }

    /** Keeps the parts when a state with these bodies is restored. A part gets another id if a restored body needs its slot. */
    void keep(List<? extends ShownBody<?>> restored) {
        BitSet taken = new BitSet();
        restored.stream()
                .filter(body -> body.id() != ShownBody.NOT_YET)
                .forEach(body -> taken.set(BodyId.slot(body.id())));
        coming.clear();
        for (Part part : parts) {
            if (part.shown.id() != ShownBody.NOT_YET && taken.get(BodyId.slot(part.shown.id()))) {
                part.comeAgain();
            }
            if (!part.shown.isSpawned()) {
                coming.add(part.shown);
            }
        }
    }
}
