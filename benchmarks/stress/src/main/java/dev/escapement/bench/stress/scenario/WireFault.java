package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** A fault between a server and its clients: of one client, or with {@link #SERVER} of the server. */
record WireFault(Act act, int client) {

    static final int SERVER = -1;

    /** The kinds, with a duration that is drawn when one strikes: the first ones for clients, the last ones for servers. */
    enum Act {
        /** Packets are lost in bursts. */
        LOSS,
        /** All packets are lost. */
        CUT,
        /** All packets are held back, and arrive together. */
        HOLD,
        /** Delays vary so much that packets overtake each other. */
        JITTER,
        /** Packets arrive twice. */
        REPEAT,
        /** From now on the client has another address. */
        MOVE,
        /** Much input at once. */
        FLOOD,
        /** The program is killed, and another one is started. */
        CRASH,
        /** The program disconnects, and another one is started. */
        CLOSE,
        /** The program does not run. */
        STOP,
        /** The clock is set ahead, as after a sleep of the machine, and has another drift from now on. */
        STEP,
        /** Simulated time stands still. */
        PAUSE,
        /** Simulated time runs faster or slower. */
        SCALE
    }

    /** All faults of a server and a number of clients. */
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
