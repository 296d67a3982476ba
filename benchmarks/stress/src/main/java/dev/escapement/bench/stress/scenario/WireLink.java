package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.state.wire.network.WireWay;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/** A client: its program, its address, both directions of its network, and the faults that strike them. */
final class WireLink {

    private static final long MILLI = WireWay.MILLI;

    private final WireRun run;
    private final SplittableRandom random;
    private final WireWay up;
    private final WireWay down;

    WireClient client;
    SocketAddress address;

    /** A client whose program starts within a time. */
    WireLink(WireRun run, SplittableRandom random, long startsWithinNanos) {
        this.run = run;
        this.random = random;
        up = new WireWay(run.time, random.split());
        down = new WireWay(run.time, random.split());
        address = run.nextAddress();
        client = new WireClient(run, this, random.split());
        run.time.at(random.nextLong(startsWithinNanos), client::wake);
    }

    /** Ends all faults. */
    void heal() {
        up.heal();
        down.heal();
        down.lost = run.trial.isPlanted(Promise.WHOLE_AGAIN) ? 0.6 : 0; // more than can be repaired
    }

    void down(ByteBuffer packet, SocketAddress to) {
        down.send(packet, arrived -> {
            if (to.equals(address)) {
                client.receive(arrived, WireRun.SERVER);
            }
        });
    }

    void up(ByteBuffer packet) {
        run.time.trace(packet.hashCode());
        SocketAddress from = address;
        up.send(packet, arrived -> run.server.receive(arrived, from));
    }

    /** Starts a fault that ends after a while. */
    void strike(WireFault.Act act, long nanos) {
        List<WireWay> ways = random.nextBoolean() ? List.of(up, down) : List.of(random.nextBoolean() ? up : down);
        double share = random.nextDouble(0.3);
        int burst = 1 + random.nextInt(10);
        switch (act) {
            case LOSS ->
                ways.forEach(way -> {
                    way.lost = share / burst;
                    way.burst = burst;
                });
            case CUT -> ways.forEach(way -> way.cutFor(nanos));
            case HOLD -> ways.forEach(way -> way.holdFor(nanos));
            case JITTER -> ways.forEach(way -> way.jitterNanos = random.nextLong(1, 200 * MILLI));
            case REPEAT -> ways.forEach(way -> way.repeated = 0.5);
            case MOVE -> address = run.nextAddress();
            case FLOOD -> client.whenRunning(() -> client.offer(random.nextInt(2000)));
            case STOP -> client.stopFor(nanos);
            case STEP -> client.setClock(nanos, 4 * run.drift());
            case CRASH, CLOSE -> restart(act == WireFault.Act.CLOSE, nanos);
            default -> throw new IllegalArgumentException("no fault of a client: " + act);
        }
        run.time.after(nanos, () -> ways.forEach(WireWay::heal));
    }

    private void restart(boolean saysGoodbye, long afterNanos) {
        WireClient before = client;
        if (saysGoodbye && !before.isGone()) {
            before.sayGoodbye();
        }
        before.end();
        run.time.after(afterNanos, () -> {
            if (client == before) {
                address = run.nextAddress();
                client = new WireClient(run, this, random.split());
                client.wake();
            }
        });
    }
}
