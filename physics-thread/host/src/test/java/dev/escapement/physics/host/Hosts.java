package dev.escapement.physics.host;

import dev.escapement.physics.turns.HostedTicks;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.thread.ThreadTimes;

/** Parts of hosts that run no thread. */
final class Hosts {

    static final long PERIOD_NANOS = 10_000_000;

    private Hosts() {}

    static Crew crew(int threads) {
        return new Crew(PhysicsHost.builder().threads(threads));
    }

    static Seat seat(Crew crew, WorldShare share) {
        return new Seat(crew, new Ticks(), share);
    }

    /** A seat each of whose turns took a number of periods of 10 ms. */
    static Seat using(Crew crew, WorldShare share, double periods) {
        Seat seat = seat(crew, share);
        for (int i = 0; i < 100; i++) {
            seat.turned(0, 0, (long) (periods * PERIOD_NANOS), 0);
        }
        return seat;
    }

    private record Ticks() implements HostedTicks {

        @Override
        public long turn(ThreadTimes times) {
            throw new AssertionError("no turns here");
        }

        @Override
        public boolean wantsSignals() {
            return false;
        }

        @Override
        public boolean mayMove() {
            return true;
        }

        @Override
        public long periodNanos() {
            return PERIOD_NANOS;
        }

        @Override
        public String name() {
            return "";
        }

        @Override
        public long watchdogNanos() {
            return 0;
        }

        @Override
        public UserCodeGuard guard() {
            return new UserCodeGuard();
        }

        @Override
        public boolean abandon(long crossings, String why) {
            return false;
        }

        @Override
        public void lose(String why) {}
    }
}
