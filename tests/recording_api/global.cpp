// Global objects that record. They are constructed before main() and closed after its end.
#include <hwtrace/recording.hpp>

namespace recording = hwtrace::recording;

namespace {

recording::Database databases[] = {recording::Database("global.ftr"), recording::Database("global.txlog"),
                                   recording::Database("global.uscope"), recording::Database("global.pccx")};

}  // namespace

int main() {
    for (recording::Database& db : databases) {
        auto jobs = db.stream("machine").generator<recording::Label>("job", "kind");
        jobs.begin_at(100, {"first"}).end_at(150);
    }
}
