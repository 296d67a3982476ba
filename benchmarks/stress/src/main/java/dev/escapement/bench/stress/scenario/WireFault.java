package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Something that goes wrong between a server and its clients: for one of these, or with {@link #SERVER} for the server. */
record WireFault(Act act, int client) {

    static final int SERVER = -1;

    private static final List<Act> OF_CLIENTS = List.of(
            Act.LOSS,
            Act.CUT,
            Act.HOLD,
            Act.JITTER,
            Act.REPEAT,
            Act.MOVE,
            Act.FLOOD,
            Act.STOP,
            Act.STEP,
            Act.CRASH,
            Act.CLOSE);
    private static final List<Act> OF_SERVERS = List.of(Act.STOP, Act.STEP, Act.CRASH, Act.CLOSE, Act.PAUSE, Act.SCALE);

    /** What can go wrong, for a while that is drawn when it strikes. */
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
        /** The program does not run. */
        STOP,
        /** The clock is set ahead, as that of a machine that slept, and drifts otherwise from now on. */
        STEP,
        /** The program ends without a word, and another one is started. */
        CRASH,
        /** The program says good-bye, and another one is started. */
        CLOSE,
        /** Simulated time stands still. */
        PAUSE,
        /** Simulated time goes faster or slower. */
        SCALE
    }

    /** All that can strike a server and so many clients. */
    static List<WireFault> all(int clients) {
        List<WireFault> all = new ArrayList<>();
        OF_SERVERS.forEach(act -> all.add(new WireFault(act, SERVER)));
        for (int client = 0; client < clients; client++) {
            for (Act act : OF_CLIENTS) {
                all.add(new WireFault(act, client));
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return act.name().toLowerCase(Locale.ROOT) + " of " + (client == SERVER ? "the server" : "client " + client);
    }
}
