package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A body that readers see with an id, but that is no body of the engine. Wheels, characters and the game's own debris are parts.
 *
 * <pre>{@code
 * Part spark = simulation.attachPart((slot, poses) -> poses.setInWorld(slot, x, y, z, 0, 0, 0, 1), SPARK);
 * }</pre>
 *
 * <p>The engine does not know parts: they have no shapes, no query hits them, and no hash and no saved state includes them. A part has
 * contacts if its source names an object of the engine that has contacts, such as a character. A restore attaches and detaches no part; a
 * part gets another id if a restored body needs its slot. {@link WorldSimulation#keep Keep} the objects that the sources read: their {@code
 * restore} may attach and detach parts. A re-simulated tick runs its commands again, so a command that attaches a part would attach it
 * twice. To prevent this, detach in the {@code restore} of a kept object the parts that were attached since the save.
 *
 * <p>The origin of snapshots does not follow parts.
 *
 * <p>Only the thread that may touch the world may call this class, as for bodies.
 *
 * @see WorldSimulation#attachPart(Source, long)
 */
public final class Part {

    /** Writes the pose of a part in each capture. */
    @FunctionalInterface
    public interface Source {

        /**
         * Writes the pose of the part after the step with {@link PoseWriter#setInWorld}, and its channels, its parent ({@link
         * PoseWriter#relativeTo}), a {@link PoseWriter#teleport}, and {@link PoseWriter#angularVelocity} if it may turn by more than half a
         * turn a tick. A part whose source writes nothing stays where it is. The physics thread calls this in each capture; it should
         * allocate nothing. The source may detach this part during the call, and no other. If the source throws, the service fails.
         *
         * @param slot  the slot of the part, the only one that the source may write
         * @param poses takes the pose
         */
        void write(int slot, PoseWriter poses);

        /**
         * {@return the object of the engine whose contacts the part has; null, the default, if the part has none} Constant. The engine's
         * adapter documents which objects it knows.
         */
        default @Nullable Object engineObject() {
            return null;
        }
    }

    final Source source;
    final @Nullable Object object;
    ShownBody<Part> shown;
    private final WorldSimulation<?, ?> simulation;

    Part(WorldSimulation<?, ?> simulation, Source source, long userData) {
        this.simulation = simulation;
        this.source = Objects.requireNonNull(source, "source must not be null; pass what says where the part is");
        object = source.engineObject();
        shown = new ShownBody<>(this, userData, ShownBody.NOT_YET, false);
    }

    /**
     * {@return the {@link BodyId} of the part}
     *
     * @throws IllegalStateException if the part has no id before its first capture
     */
    public long id() {
        return access().requireId();
    }

    /**
     * Detaches the part: readers do not see it any more from the next capture on. Call this before you free the data that its source reads.
     *
     * @throws IllegalArgumentException if the part is not attached
     */
    public void detach() {
        access();
        simulation.bodies.parts.detach(this);
    }

    private ShownBody<Part> access() {
        simulation.lease.requireAccess();
        return shown;
    }

    void capture(PoseWriter poses, JumpFinder<?> jumps) {
        try {
            source.write(shown.slot(), poses);
            if (shown.hasMarks) {
                jumps.restartPart(shown.slot());
                shown.writeMarks(poses);
            }
        } catch (RuntimeException thrown) {
            throw new IllegalStateException("the source of " + shown + ", a part, threw: " + thrown, thrown);
        }
    }

    /** Releases the part's id. The next capture shows the part under another id. */
    void comeAgain() {
        int index = shown.index;
        shown = new ShownBody<>(this, shown.userData, ShownBody.NOT_YET, false);
        shown.index = index;
    }
}
