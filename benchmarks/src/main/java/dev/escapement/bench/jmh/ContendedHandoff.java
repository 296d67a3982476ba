package dev.escapement.bench.jmh;

import dev.escapement.bench.handoff.Contestant;
import dev.escapement.bench.handoff.Handoff;
import dev.escapement.bench.handoff.Poses;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the threads of a contended handoff benchmark share, and what each reader has of its own. */
public final class ContendedHandoff {

    private ContendedHandoff() {}

    /** One contestant and so many bodies, shared by the threads of a group. */
    @State(Scope.Group)
    public abstract static class Contest {

        /** How many. */
        @Param({"0", "1000", "10000"})
        private int bodies;

        private final Contestant contestant;
        private final int readers;
        private @Nullable Handoff handoff;
        private int value;

        /** A contestant for so many readers. */
        protected Contest(Contestant contestant, int readers) {
            this.contestant = contestant;
            this.readers = readers;
        }

        /** Makes a new one. */
        @Setup
        public void create() {
            handoff = contestant.create(bodies, readers);
        }

        boolean write() {
            Handoff to = Objects.requireNonNull(handoff);
            Poses.fill(to.begin(), value++);
            return to.publish();
        }

        Handoff.Reader newReader() {
            return Objects.requireNonNull(handoff).newReader();
        }
    }

    /** A reading thread's own reader, attached when it first reads, because some belong to the thread that attached them. */
    @State(Scope.Thread)
    public static class Reading {

        private Handoff.@Nullable Reader reader;

        int read(Contest contest) {
            if (reader == null) {
                reader = contest.newReader();
            }
            return reader.acquire() ? Poses.read(reader.poses()) : 0;
        }
    }
}
