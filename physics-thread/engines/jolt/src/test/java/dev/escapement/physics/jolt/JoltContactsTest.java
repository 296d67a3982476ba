package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.ContactContract;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

class JoltContactsTest extends ContactContract<JoltSimulation> {

    /** The JVM may start some of its own meanwhile. */
    private static final int FEW = 10;

    @Override
    protected JoltSimulation create(BoxPile pile) {
        return new JoltSimulation(pile);
    }

    @Test
    void listeningMakesNoJavaThreadsOfWorkers() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (JoltWorld world = new JoltWorld(new BoxPile(500), new ContactPairs(), 1)) {
            world.listen(true);
            world.listen(false); // the listener stays, and so does what it costs
            long before = threads.getTotalStartedThreadCount();
            for (int step = 0; step < 150; step++) {
                world.update(0.01);
            }
            assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(FEW);
        }
    }

    @Test
    void worldsThatListenComeAndGo() {
        for (int round = 0; round < 20; round++) {
            try (JoltWorld world = new JoltWorld(new BoxPile(10), new ContactPairs(), 1)) {
                world.listen(round % 2 == 0);
                world.update(0.01);
            }
        }
    }
}
