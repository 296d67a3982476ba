package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorldLoadTest {

    @Test
    void shouldMakeATableInUnitsThatItsTitlesName() {
        WorldLoad heavy = new WorldLoad("heavy", 1.25, -2_500_000, 7, true);
        WorldLoad light = new WorldLoad("light", 0.5, 4_000_000, 0, false);
        assertThat(WorldLoad.table(List.of(heavy, light)).toString())
                .isEqualTo("{heavy={% of a core=125.0, slack (ms)=-2.5, missed deadlines=7, over budget=1},"
                        + " light={% of a core=50.0, slack (ms)=4.0, missed deadlines=0, over budget=0}}");
    }
}
