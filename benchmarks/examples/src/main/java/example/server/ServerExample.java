package example.server;

import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.render.FrameView;
import example.Arguments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves a pile for some seconds to one client in the same process, which pushes its box to and fro: {@code ServerExample [seconds]}. As
 * two processes: {@code ServerExample 30 7000} serves at port 7000, and {@code ServerExample 10 7000 client} joins it.
 */
public final class ServerExample {

    private static final int DEFAULT_SECONDS = 3;
    private static final int HIGHEST_PORT = 65_535;
    private static final int ANY_PORT = 0;
    private static final int BOXES = 200;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long FRAME_NANOS = 7_000_000;

    /** Key codes of GLFW. */
    private static final int KEY_RIGHT = 262;

    private static final int KEY_LEFT = 263;

    private ServerExample() {}

    public static void main(String[] args) throws IOException {
        int seconds = Arguments.seconds(args, DEFAULT_SECONDS);
        int port = Arguments.number(args, 1, "ports", HIGHEST_PORT, ANY_PORT);
        if (args.length > 2) {
            play(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), seconds);
            return;
        }
        Path log = Files.createTempDirectory("escapement-example-").resolve("server.esclog");
        GameServer server = new GameServer(port, BOXES, log);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "shutdown"));
        if (port == ANY_PORT) {
            play(server.address(), seconds);
        } else {
            serve(server, seconds);
        }
        System.out.println(server.stats());
        server.failure().ifPresent(System.out::println);
        close(server); // before the log is read, which the shutdown hook would close only after main has ended
        System.out.println(InputLog.open(log));
    }

    private static void serve(GameServer server, int seconds) {
        for (int second = 0; second < seconds && server.failure().isEmpty(); second++) {
            LockSupport.parkNanos(SECOND_NANOS);
            System.out.println(server.stats());
        }
    }

    private static void play(InetSocketAddress server, int seconds) {
        try (GameClient client = new GameClient(server)) {
            long startNanos = System.nanoTime();
            for (int second = 1; second <= seconds; second++) {
                client.key(second % 2 == 1 ? KEY_LEFT : KEY_RIGHT, false);
                client.key(second % 2 == 1 ? KEY_RIGHT : KEY_LEFT, true);
                FrameView frame = null;
                while (System.nanoTime() - startNanos < second * SECOND_NANOS) {
                    frame = client.frame(); // a client with a window would draw this frame
                    client.look().ifPresent(System.out::println);
                    LockSupport.parkNanos(FRAME_NANOS);
                }
                if (frame == null) {
                    System.out.println("no picture yet from " + server);
                } else {
                    System.out.printf("player %d sees its box at x = %.2f m%n", client.player(), client.x(frame));
                }
            }
        }
    }

    /** Closes the server at the normal end and on Ctrl-C or SIGTERM, so that the recording is complete. */
    private static void close(GameServer server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
