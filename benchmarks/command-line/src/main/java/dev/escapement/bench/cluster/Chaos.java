package dev.escapement.bench.cluster;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Does to nodes what happens to machines, in an order that a seed decides: kills one or all, or stops one for a while. */
final class Chaos {

    private final ClusterRun run;
    private final int nodes;
    private final SplittableRandom random;
    private final Consumer<String> say;

    Chaos(ClusterRun run, int nodes, long seed, Consumer<String> say) {
        this.run = run;
        this.nodes = nodes;
        this.say = say;
        random = new SplittableRandom(seed);
    }

    /** How long nothing is done before the next thing: 3 to 10 s. */
    long quietMillis() {
        return random.nextLong(3000, 10_000);
    }

    void next() throws IOException, InterruptedException {
        int dice = random.nextInt(10);
        int any = random.nextInt(nodes);
        long downMillis = random.nextLong(300, 4000);
        int leader = run.leader();
        if (dice < 4) {
            kill("leads", leader < 0 ? any : leader, downMillis);
        } else if (dice < 6) {
            kill("may lead", any, downMillis);
        } else if (dice < 9) {
            say.accept("Node " + any + " is stopped for " + downMillis + " ms at tick " + run.ticks() + ".");
            run.signal("-STOP", any);
            TimeUnit.MILLISECONDS.sleep(downMillis);
            run.signal("-CONT", any);
        } else {
            say.accept("All nodes are killed at tick " + run.ticks() + ".");
            IntStream.range(0, nodes).forEach(run::kill);
            for (int node = 0; node < nodes; node++) {
                run.restart(node);
            }
        }
    }

    /** Kills a node, and starts it again. */
    void kill(String what, int node, long downMillis) throws IOException, InterruptedException {
        say.accept("Node " + node + " " + what + ", and is killed at tick " + run.ticks() + ".");
        run.kill(node);
        TimeUnit.MILLISECONDS.sleep(downMillis);
        run.restart(node);
    }
}
