package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** Something that goes wrong between a server and its clients: for one of these, or with {@link #SERVER} for the server. */
record WireFault(Act act, int client) {

    static final int SERVER = -1;

    /** What can go wrong, for a while that is drawn when it strikes. */
    enum Act {
        /** Packets are lost, one by one or in bursts. */
        LOSS,
        /** All packets are lost, of one direction or both. */
        CUT,
        /** All packets are held back, and come together. */
        HOLD,
        /** Delays vary so much that packets overtake each other. */
        JITTER,
        /** Packets come twice. */
        REPEAT,
        /** Bits are changed; only where packets are sealed. */
        CHANGE,
        /** From now on the ways take another time, each its own. */
        ROUTE,
        /** From now on the client has another address. */
        MOVE,
        /** The program does not run. */
        STOP,
        /** The clock is set ahead, as that of a machine that slept. */
        STEP,
        /** The clock goes faster or slower from now on. */
        DRIFT,
        /** The program ends without a word, and another one is started. */
        CRASH,
        /** The program says good-bye, and another one is started. */
        CLOSE,
        /** Much input at once. */
        FLOOD,
        /** Simulated time stands still. */
        PAUSE,
        /** Simulated time goes faster or slower. */
        SCALE
    }

    /** All that can strike a server and the first so many clients. */
    static List<WireFault> all(int clients) {
        List<WireFault> all = new ArrayList<>();
        for (Act act : EnumSet.range(Act.LOSS, Act.FLOOD)) {
            for (int client = 0; client < clients; client++) {
                all.add(new WireFault(act, client));
            }
        }
        for (Act act : List.of(Act.STOP, Act.STEP, Act.DRIFT, Act.CRASH, Act.CLOSE, Act.PAUSE, Act.SCALE)) {
            all.add(new WireFault(act, SERVER));
        }
        return all;
    }

    /** Whether both sides have to find each other again after a silence of two seconds. */
    boolean endsSession() {
        return act == Act.MOVE || act == Act.CRASH || act == Act.CLOSE;
    }

    @Override
    public String toString() {
        return act.name().toLowerCase(Locale.ROOT) + " of " + (client == SERVER ? "the server" : "client " + client);
    }
}
