package example.world;

import dev.escapement.bench.stress.*;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SoakTest {

    @Test
    void myWorldHolds() {
        StressRun.of(OwnJoltWorld::makeWorld)
                .length(Duration.ofSeconds(10))
                .run()
                .requireHeld();
    }
}
