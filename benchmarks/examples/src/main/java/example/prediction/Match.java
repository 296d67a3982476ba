package example.prediction;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.ShapeSource;
import example.prediction.Server.Move;
import example.prediction.Server.State;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * A server, two players, and the network between them; and as a world of its own what the first player sees: with prediction at the left,
 * without it at the right, the players' balls grey.
 */
final class Match implements Simulation, ShapeSource {

    private static final double ASIDE_METRES = 5;

    private final Server server = new Server();
    final List<Player> players = List.of(new Player(0), new Player(1));
    private final List<Way<Move>> toServer;
    private final List<Way<State>> toPlayers;

    Match(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        toServer = List.of(new Way<>(random.split()), new Way<>(random.split()));
        toPlayers = List.of(new Way<>(random.split()), new Way<>(random.split()));
    }

    @Override
    public void step(Tick tick) {
        long nowNanos = Server.RATE.nanosAt(tick.number());
        for (int number = 0; number < Bowl.PLAYERS; number++) {
            int from = number;
            toServer.get(number).receive(nowNanos, move -> server.receive(from, move));
        }
        State state = server.tick(tick.number());
        for (int number = 0; number < Bowl.PLAYERS; number++) {
            Player player = players.get(number);
            player.predicted.compare(tick.number(), server.bowl);
            player.unpredicted.compare(tick.number(), server.bowl);
            toPlayers.get(number).send(nowNanos, state);
            toPlayers.get(number).receive(nowNanos, player::receive);
            toServer.get(number).send(nowNanos, player.tick(tick.number()));
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(2 * Bowl.BALLS);
        players.get(0).predicted.bowl.show(poses, 0, -ASIDE_METRES);
        players.get(0).unpredicted.bowl.show(poses, Bowl.BALLS, ASIDE_METRES);
    }

    @Override
    public BodyShape shape(long body) {
        boolean isPlayer = BodyId.slot(body) % Bowl.BALLS < Bowl.PLAYERS;
        return new BodyShape(new BodyShape.Sphere((float) Bowl.RADIUS_METRES), isPlayer);
    }

    /** What prediction has gained for the first player. */
    String report() {
        Picture with = players.get(0).predicted;
        Picture without = players.get(0).unpredicted;
        return String.format("%-36s%10s%10s%n", "the own ball", "predicted", "not")
                + row("ticks from input to picture", with.delayTicks, without.delayTicks, 50)
                + row("mm beside the server's, median", with.errorMillimetres, without.errorMillimetres, 50)
                + row("mm beside the server's, 99 %", with.errorMillimetres, without.errorMillimetres, 99)
                + String.format(
                        "corrected %d times, 99 %% by at most %d mm, the largest by %d mm%n",
                        with.jumpMillimetres.getTotalCount(),
                        with.jumpMillimetres.getValueAtPercentile(99),
                        with.jumpMillimetres.getMaxValue());
    }

    private static String row(String what, Histogram with, Histogram without, int percentile) {
        long first = with.getValueAtPercentile(percentile);
        return String.format("%-36s%10d%10d%n", what, first, without.getValueAtPercentile(percentile));
    }
}
