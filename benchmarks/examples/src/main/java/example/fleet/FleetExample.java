package example.fleet;

import example.Launcher;
import example.PlayArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A server with ten worlds, two relays that see it, and ten viewers of each relay. {@code FleetExample [seconds]} runs all of them in this
 * process; with a role, one of them.
 */
public final class FleetExample {

    private static final int DEFAULT_SECONDS = 30;
    private static final long FRAME_NANOS = 16_000_000;
    private static final int WARM_UP_SECONDS = 15;
    private static final int RELAYS = 2;
    private static final int FIRST_PORT = 20_131;

    /** Servers and relays run this much longer than their viewers. */
    private static final int LONGER_SECONDS = 3;

    private FleetExample() {}

    /** The part that is run. */
    enum Role {
        ALL,
        SERVER,
        RELAY,
        VIEWERS
    }

    /** The arguments. */
    @Command(name = "FleetExample", sortOptions = false)
    static final class Arguments extends PlayArguments {

        @Option(names = "--role", description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
        private Role role = Role.ALL;

        @Option(
                names = "--from",
                description = "The channel in which a relay or viewers see worlds. Default: ${DEFAULT-VALUE}.")
        private String from = "aeron:udp?control=localhost:" + FIRST_PORT;

        @Option(
                names = "--to",
                description = "The channel in which a server or a relay shows worlds. Default: ${DEFAULT-VALUE}.")
        private String to = "aeron:udp?control=localhost:" + FIRST_PORT;

        @Option(names = "--worlds", description = "How many worlds there are. Default: ${DEFAULT-VALUE}.")
        private int worlds = 10;

        @Option(
                names = "--bodies",
                description = "How many bodies each world of a server has. Default: ${DEFAULT-VALUE}.")
        private int bodies = 100;

        @Option(names = "--viewers", description = "How many viewers there are. Default: ${DEFAULT-VALUE}.")
        private int viewers = 10;

        Arguments() {
            super(DEFAULT_SECONDS);
        }

        @Override
        protected Optional<String> obstacle() {
            for (int number : new int[] {worlds, bodies, viewers}) {
                if (number < 1) {
                    return Optional.of("worlds, bodies and viewers are at least 1, but one of them is " + number);
                }
            }
            return super.obstacle();
        }
    }

    public static void main(String[] args) throws Exception {
        Launcher.launch(new Arguments(), args, FleetExample::run);
    }

    private static void run(Arguments arguments) {
        try {
            switch (arguments.role) {
                case ALL -> runAll(arguments);
                case SERVER -> serve(arguments, arguments.seconds());
                case RELAY -> see(arguments, arguments.from, arguments.to, arguments.seconds());
                case VIEWERS -> see(arguments, arguments.from, null, arguments.seconds());
            }
        } catch (IllegalArgumentException | IllegalStateException | CompletionException e) {
            System.err.println(arguments.role + ": " + e.getMessage());
            System.exit(1);
        }
    }

    private static void serve(Arguments arguments, int seconds) {
        long startNanos = System.nanoTime();
        try (WorldServer server = new WorldServer(arguments.to, arguments.worlds, arguments.bodies)) {
            while (isBefore(startNanos, seconds) && server.failure().isEmpty()) {
                LockSupport.parkNanos(FRAME_NANOS);
            }
            end(server.failure());
        }
    }

    /** Runs viewers; with a channel to forward to, a relay of all worlds. */
    private static void see(Arguments arguments, String from, @Nullable String to, int seconds) {
        long startNanos = System.nanoTime();
        int warmUpSeconds = Math.min(WARM_UP_SECONDS, seconds / 2);
        int count = to == null ? arguments.viewers : arguments.worlds;
        try (Viewers viewers = new Viewers(from, arguments.worlds, count, to)) {
            boolean warm = false;
            while (isBefore(startNanos, seconds) && viewers.failure().isEmpty()) {
                viewers.frame();
                if (!warm && !isBefore(startNanos, warmUpSeconds)) {
                    warm = true;
                    viewers.measure();
                }
                LockSupport.parkNanos(FRAME_NANOS);
            }
            System.out.println((to == null ? "viewers of " : "relay of ") + from + ": " + viewers.report());
            end(viewers.failure());
            if (viewers.pictures() < count) {
                throw new IllegalStateException("not all worlds came from " + from);
            }
        }
    }

    private static boolean isBefore(long startNanos, int seconds) {
        return System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(seconds);
    }

    private static void end(Optional<Throwable> failure) {
        failure.ifPresent(cause -> {
            throw new IllegalStateException("ended early: " + cause, cause);
        });
    }

    /** Runs each part on its own thread. */
    private static void runAll(Arguments arguments) {
        int seconds = arguments.seconds();
        List<Runnable> parts = new ArrayList<>();
        parts.add(() -> serve(arguments, seconds + 2 * LONGER_SECONDS));
        for (int relay = 1; relay <= RELAYS; relay++) {
            String to = "aeron:udp?control=localhost:" + (FIRST_PORT + relay);
            parts.add(() -> see(arguments, arguments.to, to, seconds + LONGER_SECONDS));
            parts.add(() -> see(arguments, to, null, seconds));
        }
        CompletableFuture.allOf(parts.stream()
                        .map(part -> CompletableFuture.runAsync(part, task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
    }
}
