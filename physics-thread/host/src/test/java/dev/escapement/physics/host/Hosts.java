package dev.escapement.physics.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.Await;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.TickRate;
import java.util.function.LongSupplier;

/** Creates parts of a host without threads, and waits for worlds. */
final class Hosts {

    static final long PERIOD_NANOS = 10_000_000;

    private Hosts() {}

    static PhysicsServiceBuilder world(Simulation simulation) {
        return PhysicsService.builder(simulation)
                .rate(TickRate.hertz(100))
                .maxReaders(1)
                .inputCapacity(16);
    }

    static void awaitTicks(PhysicsService world) {
        long tick = world.lastPublishedTick() + 5;
        Await.until(() -> world.lastPublishedTick() >= tick);
    }

    static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("escapement-host"))
                .count();
    }

    static Crew crew(int threads) {
        return new Crew(PhysicsHost.builder().threads(threads));
    }

    static Seat seat(Crew crew, double weight) {
        return new Seat(crew, new Ticks(true, Hosts::noSlice), weight);
    }

    /** Creates a seat whose slices call {@code slice}, which returns the due time of the next one. */
    static Seat slicing(Crew crew, LongSupplier slice) {
        return new Seat(crew, new Ticks(true, slice), 1);
    }

    private static long noSlice() {
        throw new AssertionError("no slices here");
    }

    /** Creates a seat that is bound to its worker, and whose slices take three periods. */
    static Seat boundRogue(Crew crew) {
        Seat seat = new Seat(crew, new Ticks(false, Hosts::noSlice), 1);
        slice(seat, 3);
        return seat;
    }

    /** Creates a seat whose slices took {@code periods} periods of 10 ms. */
    static Seat using(Crew crew, double weight, double periods) {
        Seat seat = seat(crew, weight);
        slice(seat, periods);
        return seat;
    }

    private static void slice(Seat seat, double periods) {
        for (int i = 0; i < 400; i++) {
            seat.sliceEnded(0, 0, (long) (periods * PERIOD_NANOS), 0);
        }
    }

    private record Ticks(boolean mayMove, LongSupplier slice) implements SlicedRun {

        @Override
        public void serveInNextSlice() {}

        @Override
        public long runSlice(ThreadTimes times) {
            return slice.getAsLong();
        }

        @Override
        public long periodNanos() {
            return PERIOD_NANOS;
        }

        @Override
        public World world() {
            return new World("", mayMove, 0, new UserCodeGuard());
        }

        @Override
        public boolean abandon(long crossings, long nanos) {
            return false;
        }

        @Override
        public void orphan(String why) {}
    }
}
