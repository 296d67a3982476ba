package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** Something that goes wrong between a server and its clients: for one of these, or with {@link #SERVER} for the server. */
record WireFault(Act act, int client) {

    static final int SERVER = -1;

    /** What can go wrong, for a while that is drawn when it strikes: the first ones for clients, the last ones for servers. */
    enum Act {
        /** Packets are lost in bursts. */
        LOSS,
        /** All packets are lost. */
        CUT,
        /** All packets are held back, and come together. */
        HOLD,
        /** Delays vary so much that packets overtake each other. */
        JITTER,
        /** Packets come twice. */
        REPEAT,
        /** From now on the client has another address. */
        MOVE,
        /** Much input at once. */
        FLOOD,
        /** The program ends without a word, and another one is started. */
        CRASH,
        /** The program says good-bye, and another one is started. */
        CLOSE,
        /** The program does not run. */
        STOP,
        /** The clock is set ahead, as that of a machine that slept, and drifts otherwise from now on. */
        STEP,
        /** Simulated time stands still. */
        PAUSE,
        /** Simulated time goes faster or slower. */
        SCALE
    }

    /** All that can strike a server and this many clients. */
    static List<WireFault> all(int clients) {
        List<WireFault> all = new ArrayList<>();
        EnumSet.range(Act.STOP, Act.SCALE).forEach(act -> all.add(new WireFault(act, SERVER)));
        for (int i = 0; i < clients; i++) {
            int client = i;
            EnumSet.range(Act.LOSS, Act.STEP).forEach(act -> all.add(new WireFault(act, client)));
        }
        return all;
    }

    @Override
    public String toString() {
        return act.name().toLowerCase(Locale.ROOT) + " of " + (client == SERVER ? "the server" : "client " + client);
    }
}
