package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import dev.escapement.state.Slice;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ClusterCommandTest {

    private static final int REAL_CLUSTER = 7;

    @TempDir
    private Path folder;

    @Test
    void theWorldOutlivesItsLeader() throws IOException {
        assumeTrue(Slice.current().has(REAL_CLUSTER), "another slice runs processes");
        Path json = folder.resolve("cluster.json");
        Executed cluster = Executed.untilLine(
                ".* is killed at tick .*",
                "cluster",
                "--seconds=600",
                "--bodies=20",
                "--kill-leader-every=5s",
                "--json=" + json);
        assertThat(cluster.err()).isEmpty();
        JsonObject result = Executed.json(json);
        assertThat(result.get("ticks").getAsLong()).isGreaterThan(300);
        assertThat(result.get("leaderKills").getAsInt()).isPositive();
        for (String wrong : new String[] {"lostTicks", "lostInputs", "doubledInputs", "unequalHashes"}) {
            assertThat(result.get(wrong).getAsLong()).as(wrong).isZero();
        }
        assertThat(cluster.out()).contains(" leads, and is killed at tick ", "Library: every promise held");
    }
}
