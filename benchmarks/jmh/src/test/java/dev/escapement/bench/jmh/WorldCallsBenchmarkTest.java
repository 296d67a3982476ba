package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorldCallsBenchmarkTest {

    private final WorldCallsBenchmark benchmark = new WorldCallsBenchmark();

    @Test
    void shouldTickWorldsWhoseBodiesTouch() {
        WorldCallsBenchmark.Tiles tiles = new WorldCallsBenchmark.Tiles();
        tiles.bodies = 200;
        tiles.create();
        int events = 0;
        for (int tick = 0; tick < 20; tick++) {
            events += benchmark.contactsOfFixtures(tiles);
        }
        assertThat(events).as("each ball touches an edge at least").isGreaterThanOrEqualTo(100);
        benchmark.shapesOfFixtures(tiles);
        tiles.close();
    }

    @Test
    void shouldAttachBodiesAgain() {
        WorldCallsBenchmark.Scene scene = new WorldCallsBenchmark.Scene();
        scene.bodies = 20;
        scene.create();
        assertThat(benchmark.attach(scene)).isEqualTo(20);
        scene.close();
    }
}
