#include "definition_order.hpp"

#include <vector>

#include "model/hash.hpp"

namespace hwtrace::flux {

namespace {

class Steps {
public:
    explicit Steps(TracePlan& trace) : trace_(trace), item_done_(trace.items.size()) {
        for (std::size_t i = 0; i < trace.items.size(); ++i) {
            by_id_.emplace(trace.items[i].id, i);
            members_done_.emplace_back(trace.items[i].members.size());
            indexes_done_.emplace_back(trace.items[i].indexes.size());
            labels_done_.emplace_back(trace.items[i].labels.size());
        }
        for (std::size_t i = 0; i < trace.contexts.size(); ++i)
            contexts_.emplace(trace.contexts[i].item, i);
        references_done_.resize(trace.references.size());
        contexts_done_.resize(trace.contexts.size());
    }

    void take(const FactStep& step, const TraceFacts& facts) {
        const auto item = by_id_.find(step.number);
        const bool known = item != by_id_.end();
        switch (step.kind) {
            case FactStep::Kind::item:
                if (known) take_item(item->second);
                return;
            case FactStep::Kind::member:
                if (known) add(StepPlan::Kind::member, item->second, step.index, members_done_[item->second]);
                return;
            case FactStep::Kind::index:
                if (known) add(StepPlan::Kind::index, item->second, step.index, indexes_done_[item->second]);
                return;
            case FactStep::Kind::label:
                if (known) add(StepPlan::Kind::label, item->second, step.index, labels_done_[item->second]);
                return;
            case FactStep::Kind::reference: {
                if (references_.empty())
                    for (const auto& [number, reference] : facts.references)
                        references_.emplace(number, references_.size());
                take_once(StepPlan::Kind::reference, references_[step.number], references_done_);
                return;
            }
            case FactStep::Kind::open:
                if (const auto context = contexts_.find(step.number); context != contexts_.end())
                    take_once(StepPlan::Kind::open, context->second, contexts_done_);
                return;
            case FactStep::Kind::close:
                return;
        }
    }

    void take_rest() {
        for (std::size_t i = 0; i < trace_.items.size(); ++i)
            take_item(i);
        for (std::size_t i = 0; i < trace_.references.size(); ++i)
            take_once(StepPlan::Kind::reference, i, references_done_);
        for (std::size_t i = 0; i < trace_.contexts.size(); ++i)
            take_once(StepPlan::Kind::open, i, contexts_done_);
        for (std::size_t i = 0; i < trace_.items.size(); ++i) {
            for (std::size_t member = 0; member < members_done_[i].size(); ++member)
                add(StepPlan::Kind::member, i, member, members_done_[i]);
            for (std::size_t label = 0; label < indexes_done_[i].size(); ++label)
                add(StepPlan::Kind::index, i, label, indexes_done_[i]);
            for (std::size_t label = 0; label < labels_done_[i].size(); ++label)
                add(StepPlan::Kind::label, i, label, labels_done_[i]);
        }
    }

private:
    /// Plans an item. If it is a scope, plans all earlier scopes first; otherwise plans its parent scope first.
    void take_item(std::size_t place) {
        if (item_done_[place]) return;
        const ItemPlan& item = trace_.items[place];
        if (item.is_scope) {
            for (; scopes_ < place; ++scopes_)
                if (trace_.items[scopes_].is_scope) take_once(StepPlan::Kind::item, scopes_, item_done_);
        } else if (const auto parent = by_id_.find(item.parent);
                   parent != by_id_.end() && trace_.items[parent->second].is_scope) {
            take_item(parent->second);
        }
        take_once(StepPlan::Kind::item, place, item_done_);
    }
    void take_once(StepPlan::Kind kind, std::size_t place, std::vector<bool>& done) {
        if (place >= done.size() || done[place]) return;
        done[place] = true;
        trace_.steps.push_back({kind, place, 0});
    }
    void add(StepPlan::Kind kind, std::size_t place, std::size_t index, std::vector<bool>& done) {
        if (index >= done.size() || done[index]) return;
        done[index] = true;
        trace_.steps.push_back({kind, place, index});
    }

    TracePlan& trace_;
    HashMap<std::uint64_t, std::size_t> by_id_, contexts_, references_;
    std::vector<bool> item_done_, references_done_, contexts_done_;
    std::vector<std::vector<bool>> members_done_, indexes_done_, labels_done_;
    std::size_t scopes_ = 0;  ///< index of the first scope that is not planned yet
};

}  // namespace

void order_definitions(TracePlan& trace, const TraceFacts* facts) {
    Steps steps(trace);
    if (facts != nullptr)
        for (const FactStep& step : facts->steps)
            steps.take(step, *facts);
    steps.take_rest();
}

}  // namespace hwtrace::flux
